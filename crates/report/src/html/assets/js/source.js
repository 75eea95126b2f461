// The source with what was reached of it.

const ROW = 20;

function sourceView(fileText, lineText) {
  if (!data.files.length)
    return [
      heading("Source"),
      empty("The campaign kept no source: it was compiled without debug info, or is from before profiles."),
    ];
  const file = Math.min(data.files.length - 1, Number(fileText ?? mainFile()) || 0);
  const { path, text, lines: coverage, state } = data.files[file];
  const lines = model.fileLines(file);
  const covered = new Map(coverage);
  const counts = new Map(data.files[file].counts);
  const branches = branchesOf(file);
  const bugs = new Map();
  summary.bugs.forEach((bug, number) => bug.file === path && bugs.set(bug.line, number));

  const list = new VirtualList({
    label: `Source of ${path}`,
    rowHeight: ROW,
    role: "list",
    rowRole: "listitem",
    row: (index) => sourceRow(index + 1),
    onkey: (event) => {
      if (event.key === "n") jump(1);
      else if (event.key === "p") jump(-1);
      else return false;
      return true;
    },
  });
  list.element.classList.add("code-list");
  list.element.style.setProperty("--longest", `${Math.max(20, ...lines.map((line) => line.length))}ch`);

  function sourceRow(line) {
    const state = stateOf(line);
    const bug = bugs.get(line);
    const chips = (branches.get(line) ?? []).map(branchChip);
    const times = counts.has(line) ? `${plural(counts.get(line), "time")}, ` : "";
    const told = state ? `${STATES[state]}, ${times}` : "";
    return {
      properties: {
        class: `row src-row ${state}${bug !== undefined ? " has-bug" : ""}`,
        "aria-label": `line ${line}, ${told}${lines[line - 1]}`,
      },
      element: [
        h("span", { class: "no" }, line),
        h("span", { class: "state", "aria-hidden": "true" }, MARKS[state] ?? ""),
        counts.size > 0 &&
          h(
            "span",
            { class: "times", title: "by native runs" },
            counts.has(line) ? `${number(counts.get(line))}×` : "",
          ),
        h("code", null, highlighted(lines[line - 1])),
        h(
          "span",
          { class: "chips" },
          bug !== undefined && link(`bugs/${bug}`, summary.bugs[bug].kind, { class: CLASSES[classOf(summary.bugs[bug])].tag }),
          chips,
        ),
      ],
    };
  }

  function stateOf(line) {
    if (!covered.has(line)) return "";
    if (!covered.get(line)) return "missed";
    return (branches.get(line) ?? []).some((branch) => branch.outcomes.some((outcome) => !outcome.covered))
      ? "partly"
      : "covered";
  }

  const interesting = () =>
    coverage
      .map(([line]) => line)
      .filter((line) => stateOf(line) !== "covered")
      .sort((a, b) => a - b);
  function jump(direction) {
    const places = interesting();
    const at = list.active + 1;
    const next = direction > 0 ? places.find((line) => line > at) : places.findLast((line) => line < at);
    if (next === undefined)
      return say(direction > 0 ? "Nothing further down was missed." : "Nothing further up was missed.");
    list.activate(next - 1);
    say(`line ${next}`);
  }

  const choice =
    data.files.length > 1
      ? h(
          "select",
          {
            "aria-label": "File",
            onchange: (event) => {
              location.hash = `#/source/${event.target.value}`;
            },
          },
          data.files.map((other, number) => h("option", { value: number, selected: number === file }, other.path)),
        )
      : h("code", null, path);
  const nCovered = coverage.filter(([, isCovered]) => isCovered).length;
  requestAnimationFrame(() => {
    list.reset(lines.length);
    const line = Number(lineText);
    if (line > 0) list.activate(line - 1);
    else
      list.element.scrollTop = ROW * Math.max(0, Math.min(...bugs.keys(), ...coverage.map(([counted]) => counted)) - 3);
  });
  return [
    heading(
      "Source",
      choice,
      h("p", { class: "muted" }, `${nCovered} of ${coverage.length} lines`),
      h(
        "span",
        { class: "buttons" },
        h("button", { type: "button", onclick: () => jump(-1) }, "↑ missed"),
        h("button", { type: "button", onclick: () => jump(1) }, "↓ missed"),
      ),
    ),
    state !== "same" &&
      h(
        "p",
        { class: "warning" },
        state === "changed"
          ? "This file has changed since. It is shown as it was explored."
          : "This file is not there any more. It is shown as it was explored.",
      ),
    text === null ? empty("The file could not be read when the campaign ended.") : list.element,
    h(
      "p",
      { class: "legend" },
      Object.entries(STATES).map(([name, words]) => h("span", null, h("i", { class: `s-${name}` }), words)),
      h(
        "span",
        null,
        "T, F: by how many tests the condition is true and false (A, B where it is not known which); ✓ where it is, but not as a decision of a test. Keys n and p go to the next and previous line that was missed.",
      ),
    ),
  ];
}

const STATES = { covered: "executed", partly: "executed, but not every way", missed: "not executed" };
const MARKS = { covered: "✓", partly: "◐", missed: "✗" };

// The file with most lines that count.
function mainFile() {
  return data.files.reduce((best, file, at) => (file.lines.length > data.files[best].lines.length ? at : best), 0);
}

// By line, its branches: { column, outcomes: [{ name, count, covered }] }
function branchesOf(file) {
  const bySite = new Map();
  data.branches.forEach(([site, outcome, target, covered, label]) => {
    if (data.sites[site][0] !== file) return;
    if (!bySite.has(site)) bySite.set(site, []);
    bySite.get(site).push({ outcome, target, label, covered: covered === 1, count: model.takenBy(site, outcome) });
  });
  const byLine = new Map();
  [...bySite]
    .sort(([a], [b]) => data.sites[a][2] - data.sites[b][2])
    .forEach(([site, outcomes]) => {
      const line = data.sites[site][1];
      const isSwitch = outcomes.some((outcome) => outcome.target > 0);
      // Nobody knows which outcome is which where an optimiser or a macro was at work.
      const names = data.sites[site][4] ? ["F", "T"] : ["B", "A"];
      if (!isSwitch) outcomes.sort((a, b) => b.outcome - a.outcome);
      const named = outcomes.map((outcome) => ({
        ...outcome,
        name: isSwitch ? outcome.label || `:${outcome.target}` : names[outcome.outcome],
      }));
      if (!byLine.has(line)) byLine.set(line, []);
      byLine.get(line).push({ column: data.sites[site][2], outcomes: named });
    });
  return byLine;
}

const WORDS = { T: "true", F: "false", A: "one way", B: "the other way", default: "default" };

function branchChip({ outcomes, column }) {
  const words = outcomes.map(
    ({ name, count, covered }) =>
      `${WORDS[name] ?? (name.startsWith(":") ? `to line ${name.slice(1)}` : `case ${name}`)}: ${covered ? (count === undefined ? "yes" : plural(count, "test")) : "never"}`,
  );
  return h(
    "span",
    { class: "chip", title: `column ${column}: ${words.join(", ")}` },
    outcomes.map(({ name, count, covered }) =>
      h("span", { class: covered ? "" : "never" }, `${name} ${covered ? (count ?? "✓") : "–"}`),
    ),
  );
}
