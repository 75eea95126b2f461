// How the campaign went over time, and where the time went.

function timeView() {
  const solver = summary.solver;
  const last = data.samples.at(-1) ?? { solver_ms: solver.time_ms, run_ms: 0, time_ms: summary.time_ms };
  const points = (key) => data.samples.map((sample) => [sample.time_ms, sample[key]]);
  const spent = data.spent.map(([site, sat, unsat, unknown, solverTime, runTime]) => ({
    place: model.place(site),
    sat,
    unsat,
    unknown,
    solverTime,
    runTime,
  }));
  const layers = Object.entries(solver.by_layer)
    .map(([name, layer]) => ({ name, ...layer }))
    .filter((layer) => layer.queries > 0);
  const right = "right";
  return [
    heading("Time"),
    h(
      "section",
      { "aria-label": "Where it went" },
      h(
        "div",
        { class: "panel" },
        shares("Where the time went", [
          { name: "solver", value: last.solver_ms, class: "c1", text: duration(Math.round(last.solver_ms * 1000)) },
          { name: "running", value: last.run_ms, class: "c2", text: duration(Math.round(last.run_ms * 1000)) },
          {
            name: "everything else",
            value: Math.max(0, summary.time_ms - last.solver_ms - last.run_ms),
            class: "c4",
            text: duration(Math.round(Math.max(0, summary.time_ms - last.solver_ms - last.run_ms) * 1000)),
          },
        ]),
      ),
    ),
    data.samples.length > 1 &&
      h(
        "section",
        { "aria-label": "Over time" },
        h("h2", null, "Over time"),
        h(
          "div",
          { class: "columns" },
          coverageChart(),
          pathsChart(),
          lineChart({
            title: "Time spent",
            format: (ms) => duration(Math.round(ms * 1000)),
            series: [
              { name: "solver", colour: 1, points: points("solver_ms") },
              { name: "running", colour: 2, points: points("run_ms") },
            ],
          }),
          lineChart({ title: "Bugs", series: [{ name: "bugs", colour: 1, points: points("bugs") }] }),
        ),
      ),
    h(
      "section",
      { "aria-label": "By decision" },
      h("h2", null, "By decision"),
      h(
        "p",
        { class: "muted" },
        "What it took to look for the other ways at each place: with an input, without one, not known.",
      ),
      spent.length
        ? table(
            [
              { name: "Place", cell: (row) => placeLink(row.place) },
              { name: "Function", cell: (row) => h("code", null, row.place.function) },
              { name: "Input found", class: right, cell: (row) => number(row.sat), order: (row) => row.sat },
              { name: "No input", class: right, cell: (row) => number(row.unsat), order: (row) => row.unsat },
              { name: "Unknown", class: right, cell: (row) => number(row.unknown), order: (row) => row.unknown },
              { name: "Solver", class: right, cell: (row) => duration(row.solverTime), order: (row) => row.solverTime },
              { name: "Runs", class: right, cell: (row) => duration(row.runTime), order: (row) => row.runTime },
            ],
            spent,
            { caption: "Time by decision", sort: "Solver" },
          )
        : empty("No query was asked."),
    ),
    layers.length > 0 &&
      h(
        "section",
        { "aria-label": "Layers of the solver" },
        h("h2", null, "Layers of the solver"),
        table(
          [
            { name: "Layer", cell: (row) => h("code", null, row.name) },
            { name: "Queries", class: right, cell: (row) => number(row.queries), order: (row) => row.queries },
            { name: "Sat", class: right, cell: (row) => number(row.sat), order: (row) => row.sat },
            { name: "Unsat", class: right, cell: (row) => number(row.unsat), order: (row) => row.unsat },
            { name: "Unknown", class: right, cell: (row) => number(row.unknown), order: (row) => row.unknown },
            {
              name: "Time",
              class: right,
              cell: (row) => duration(Math.round(row.time_ms * 1000)),
              order: (row) => row.time_ms,
            },
          ],
          layers,
          { caption: "Layers of the solver", sort: "Time" },
        ),
      ),
  ];
}
