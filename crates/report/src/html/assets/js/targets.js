// What was to be reached, and what became of it.

function targetsSection() {
  const { targets = [] } = summary;
  if (!targets.length) return null;
  return h(
    "section",
    { "aria-label": "Targets" },
    h("h2", null, "Targets"),
    table(
      [
        { name: "Target", cell: (target) => h("code", null, target.target), order: (target) => target.target },
        { name: "Place", cell: placeLink },
        { name: "Status", cell: (target) => target.status, order: (target) => target.status },
        { name: "", cell: aboutTarget },
      ],
      targets,
      { caption: "Targets" },
    ),
  );
}

function aboutTarget({ test, relies_on: reliesOn = [], hidden_by: hiddenBy = [], nearest }) {
  const kinds = (lines) => [...new Set(lines.map((line) => line.kind))].join(", ");
  if (test) return link(`tests/${test}`, `test ${test}`);
  if (nearest) return ["nearest: ", placeLink(nearest), ` is ${nearest.never}`];
  if (hiddenBy.length) return `may be hidden by ${kinds(hiddenBy)}`;
  return reliesOn.length ? `relies on ${kinds(reliesOn)}` : null;
}
