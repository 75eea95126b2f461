// Independent inputs: which belong together, and the lines that tied them.

function partitionSection() {
  const { partition } = summary;
  if (!partition) return null;
  const ties = partition.blocks.flatMap((block) => block.ties || []);
  return h(
    "section",
    { "aria-label": "Partition" },
    h("h2", null, "Independent inputs"),
    h(
      "p",
      null,
      `${plural(partition.blocks.length, "block")} of inputs; ${plural(partition.left_out, "alternative")} left out as independent.`,
    ),
    partition.given_up ? h("p", { class: "warning" }, `Given up, and everything explored: ${partition.given_up}.`) : null,
    (partition.wrong || []).map((wrong) => h("p", { class: "warning" }, `The stated partition is wrong: ${wrong}.`)),
    table(
      [
        { name: "Inputs that belong together", cell: (block) => h("code", null, someNames(block.inputs)) },
        { name: "Inputs", class: "right", cell: (block) => number(block.inputs.length), order: (block) => block.inputs.length },
      ],
      partition.blocks,
      { caption: "Blocks" },
    ),
    ties.length
      ? table(
          [
            { name: "Inputs", cell: (tie) => h("code", null, tie.inputs.join(", ")) },
            { name: "Why", cell: (tie) => tie.text },
            { name: "Line", cell: (tie) => h("code", null, `${tie.file}:${tie.line}`), order: (tie) => tie.line },
          ],
          ties,
          { caption: "What tied them" },
        )
      : null,
  );
}

// The first names, and the last.
function someNames(names) {
  return names.length <= 12 ? names.join(" ") : `${names.slice(0, 11).join(" ")} … ${names[names.length - 1]}`;
}
