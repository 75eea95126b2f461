// The first view: what was found, how much was explored, and how far to trust it.

const STOPPED = {
  exhausted: "every path was explored",
  bounded: "every path within the bounds was explored",
  incomplete: "parts of the program could not be explored",
  targets: "every target was reached",
  time: "the time was up",
  paths: "enough paths were found",
  instructions: "enough instructions were executed",
  memory: "the memory was used up",
  interrupted: "it was interrupted",
  unfinished: "it was killed, or still goes on",
};

function whyStopped() {
  const bounds = (summary.bounds ?? []).map((bound) => bound.text);
  if (summary.stopped === "bounded" && summary.targets?.length) return "every path that may lead to a target was explored";
  if (summary.stopped !== "bounded" || !bounds.length) return STOPPED[summary.stopped] ?? summary.stopped;
  const last = bounds.pop();
  return `every path was explored for ${bounds.length ? `${bounds.join(", ")} and ` : ""}${last}`;
}

function overviewView() {
  const nBugs = summary.bugs.length;
  const source = summary.sources.join(", ");
  const isBad = summary.bugs.some((bug) => classOf(bug) === "bug");
  const verdict = nBugs
    ? h("p", { class: isBad ? "verdict bad" : "verdict" }, findingsInWords(), " in ", h("code", null, summary.entry))
    : h("p", { class: "verdict good" }, "No findings in ", h("code", null, summary.entry));
  return [
    heading("Overview"),
    h(
      "section",
      { class: "hero panel" },
      verdict,
      h(
        "p",
        { class: "lead" },
        h("code", null, source),
        `. ${plural(summary.paths, "path")} in ${duration(summary.time_ms * 1000)}; `,
        `${whyStopped()}. `,
        summary.ledger.length
          ? link(
              "ledger",
              `${plural(
                summary.ledger.reduce((sum, line) => sum + line.count, 0),
                "thing",
              )} given up on the way.`,
            )
          : "Nothing was given up on the way.",
      ),
      settings(),
      nativeRuns(),
      summary.not_done?.length ? h("p", null, `Not done: ${summary.not_done.join("; ")}.`) : null,
      staleFiles(),
    ),
    h(
      "dl",
      { class: "tiles" },
      tile(
        "Lines",
        `${percent(summary.coverage.lines)}\u202f%`,
        `${number(summary.coverage.lines.covered)} of ${number(summary.coverage.lines.total)} ${ofWhat()}`,
        meter(summary.coverage.lines),
      ),
      tile(
        "Branches",
        `${percent(summary.coverage.branches)}\u202f%`,
        `${number(summary.coverage.branches.covered)} of ${number(summary.coverage.branches.total)} ${ofWhat()}`,
        meter(summary.coverage.branches),
      ),
      tile(
        "Tests",
        number(summary.tests),
        testsOfWhat(),
      ),
      tile(
        "Queries",
        number(summary.solver.queries),
        `${duration(Math.round(summary.solver.time_ms * 1000))} in the solver`,
      ),
      tile(
        "Instructions",
        number(summary.instructions),
        `${number(Math.round(summary.instructions / Math.max(1, summary.paths)))} a path`,
      ),
    ),
    h(
      "div",
      { class: "columns" },
      h(
        "section",
        { "aria-label": "Findings" },
        nBugs
          ? findingsByClass().map(({ title, findings }) => [
              h("h2", null, title),
              h(
                "ul",
                { class: "cards" },
                findings.map(({ bug, at }) => bugCard(bug, at)),
              ),
            ])
          : [h("h2", null, "Findings"), empty("Nothing was found.")],
      ),
      h(
        "section",
        { "aria-label": "How tests end" },
        h("h2", null, "How tests end"),
        h("div", { class: "panel" }, shares("How tests end", endShares())),
      ),
    ),
    targetsSection(),
    heapsSection(),
    partitionSection(),
    data.samples.length > 1 &&
      h(
        "section",
        { "aria-label": "Over time" },
        h("h2", null, "Over time"),
        h("div", { class: "columns" }, coverageChart(), pathsChart()),
      ),
  ];
}

function settings() {
  const unit = data.settings;
  if (!unit) return null;
  const items = [
    ["assumes", unit.assume],
    ["ensures", unit.ensure],
    ["with", unit.params],
  ].filter(([, names]) => names.length);
  return items.length
    ? h(
        "p",
        { class: "lead" },
        items.map(([what, names]) => [what, " ", names.map((name) => h("code", null, name)), " "]),
      )
    : null;
}

// How native runs of the tests went, if they were made.
function nativeRuns() {
  const replay = summary.replay;
  if (!replay) return null;
  if (replay.problem) return h("p", { class: "warning" }, h("b", null, "Nothing was run natively: "), replay.problem);
  const nCompared = replay.tests - replay.not_compared;
  return [
    h(
      "p",
      { class: "lead" },
      `${number(replay.as_predicted + replay.confirmed)} of ${plural(nCompared, "test")} ended natively as predicted.`,
    ),
    replay.mismatches.length > 0 &&
      h(
        "p",
        { class: "warning" },
        h("b", null, "Errors of Spelunk: "),
        "tests that ended otherwise: ",
        replay.mismatches
          .slice(0, 10)
          .map(({ test, native }) => [link(`tests/${test}`, `test ${test}`), ` (${native}) `]),
      ),
  ];
}

function staleFiles() {
  const changed = data.files.filter((file) => file.state !== "same" && file.text !== null);
  if (!changed.length) return null;
  return h(
    "p",
    { class: "warning" },
    h("b", null, "The source has changed since: "),
    changed.map((file) => file.path).join(", "),
    ". The report shows it as it was explored.",
  );
}

// What counts as covered or not.
function ofWhat() {
  const { functions } = summary.coverage;
  if (!functions) return "";
  return summary.entry === "main"
    ? `in the program's ${plural(functions, "function")}`
    : `in ${plural(functions, "function")} reachable from ${summary.entry}`;
}

function testsOfWhat() {
  if (summary.kept) return `chosen of ${number(summary.kept.of)} for the same ${summary.kept.what}`;
  if (summary.excluded) return `${plural(summary.excluded, "path")} excluded by assumptions`;
  const more = summary.tests - summary.paths;
  if (more < 0) return `of ${plural(summary.paths, "path")}: those that cover something new, and one for each finding`;
  return more > 0 ? `one for each path, ${number(more)} for other outcomes` : "one for each path";
}

function tile(name, value, detail, more) {
  return h(
    "div",
    { class: "tile panel" },
    h("dt", null, name),
    h("dd", { class: "value" }, value),
    h("dd", { class: "detail" }, detail, more),
  );
}

function meter({ covered, total }) {
  return h(
    "span",
    { class: "meter", "aria-hidden": "true" },
    h("span", { style: `width: ${total ? (100 * covered) / total : 100}%` }),
  );
}

function bugCard(bug, at) {
  return h(
    "li",
    { class: "panel" },
    link(`bugs/${at}`, [
      kindTag(bug),
      " ",
      statusTag(bug),
      h("b", { class: "message" }, bug.message || bug.kind),
      h(
        "span",
        { class: "muted" },
        bug.line ? `${bug.file}:${bug.line}` : "",
        bug.function ? ` in ${bug.function}` : "",
        ` · ${plural(bug.hits, "path")}`,
      ),
    ]),
  );
}

function statusTag(bug) {
  const unseen = summary.replay ? "not reproduced natively" : "not run natively";
  const text = bug.status === "unconfirmed" ? unseen : bug.status;
  return h("span", { class: bug.status === "confirmed" ? "tag good" : "tag" }, text);
}

function endShares() {
  const groups = new Map();
  tests.end.forEach((number) => {
    const { kind, text } = data.ends[number];
    const hasStatus = kind === "exited" && text !== "exit 0" && text !== "returns";
    const name = hasStatus ? "ended with a status" : ENDS[kind];
    const group = groups.get(name) ?? { name, value: 0, class: hasStatus ? "e-status" : `e-${kind}` };
    group.value += 1;
    groups.set(name, group);
  });
  return [...groups.values()]
    .sort((a, b) => b.value - a.value)
    .map((group) => ({ ...group, text: number(group.value) }));
}

const ENDS = {
  exited: "ended well",
  killed: "killed by a signal",
  bug: "a bug",
  unsupported: "unsupported",
  limit: "a limit",
  infeasible: "excluded",
};

function coverageChart() {
  const ratio = (key) =>
    data.samples.map((sample) => [sample.time_ms, (100 * sample[key]) / Math.max(1, summary.coverage[key].total)]);
  return lineChart({
    title: "Coverage",
    max: 100,
    format: (value) => `${Math.round(value)}\u202f%`,
    series: [
      { name: "lines", colour: 1, points: ratio("lines") },
      { name: "branches", colour: 2, points: ratio("branches") },
    ],
  });
}

function pathsChart() {
  const points = (key) => data.samples.map((sample) => [sample.time_ms, sample[key]]);
  return lineChart({
    title: "Paths",
    series: [
      { name: "paths", colour: 3, points: points("paths") },
      { name: "open alternatives", colour: 4, points: points("open") },
    ],
  });
}
