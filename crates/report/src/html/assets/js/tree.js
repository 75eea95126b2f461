// The execution tree of the tests. Rows exist for what is open and visible.

const FIRST_ROWS = 20;

function treeView() {
  if (!tree.segments.length) return [heading("Execution tree"), empty("There are no tests, so there is no tree.")];
  const totalTime = model.time[0] || 1;
  const open = new Set([0]);
  const unfolded = new Set();
  let rows = [];

  const list = new VirtualList({
    label: "Execution tree",
    rowHeight: 30,
    role: "tree",
    rowRole: "treeitem",
    row: (index) => treeRow(rows[index]),
    onchoose: (index) => toggle(index),
    onkey: (event) => {
      const row = rows[list.active];
      if (!row) return false;
      if (event.key === "ArrowRight")
        isOpen(row) ? list.activate(list.active + 1) : canOpen(row) && toggle(list.active);
      else if (event.key === "ArrowLeft")
        isOpen(row)
          ? toggle(list.active)
          : list.activate(rows.findLastIndex((other, at) => at < list.active && other.level < row.level));
      else if (event.key === "*") {
        openAround(row);
      } else return false;
      return true;
    },
  });

  // What stands below a segment: its own decisions if they are unfolded, then tests that end there and the ways on.
  function flatten() {
    rows = [];
    const waiting = [{ kind: "segment", segment: 0, level: 1 }];
    while (waiting.length) {
      const row = waiting.pop();
      rows.push(row);
      if (row.kind !== "segment" || !open.has(row.segment)) continue;
      const { segment, level } = row;
      const inner = [];
      const decisions = model.decisionsOf(segment).slice(segment === 0 ? 0 : 1);
      if (decisions.length) {
        inner.push({ kind: "chain", segment, level: level + 1, decisions });
        if (unfolded.has(segment))
          decisions.forEach((decision) => inner.push({ kind: "decision", decision, level: level + 2 }));
      }
      model.endings[segment].forEach((test) => inner.push({ kind: "test", test, level: level + 1 }));
      model.children[segment].forEach((child) => inner.push({ kind: "segment", segment: child, level: level + 1 }));
      waiting.push(...inner.reverse());
    }
  }

  const canOpen = (row) => row.kind === "segment" || row.kind === "chain";
  const isOpen = (row) =>
    row.kind === "segment" ? open.has(row.segment) : row.kind === "chain" && unfolded.has(row.segment);

  function toggle(index) {
    const row = rows[index];
    if (row.kind === "test") {
      location.hash = `#/tests/${tests.number[row.test]}`;
      return;
    }
    if (row.kind === "decision") return;
    const set = row.kind === "segment" ? open : unfolded;
    if (!set.delete(row.segment)) set.add(row.segment);
    redraw(index);
  }

  function openAround(row) {
    if (row.kind === "segment") model.children[row.segment].concat(row.segment).forEach((segment) => open.add(segment));
    redraw(list.active);
  }

  function redraw(active) {
    const { scrollTop } = list.element;
    flatten();
    list.reset(rows.length, active);
    list.element.scrollTop = scrollTop;
    list.draw();
  }

  function treeRow(row) {
    const indent = h("span", { class: "indent", style: `width: ${(row.level - 1) * 18}px` });
    const properties = { "aria-level": row.level, "aria-expanded": canOpen(row) ? String(isOpen(row)) : null };
    const twist = h("span", { class: "twist", "aria-hidden": "true" }, canOpen(row) ? (isOpen(row) ? "▾" : "▸") : "");
    return { properties, element: h("div", { class: "tree-row" }, indent, twist, treeText(row)) };
  }

  function treeText(row) {
    switch (row.kind) {
      case "test": {
        const end = model.end(row.test);
        return [
          h("span", { class: `tag e-${end.kind}` }, end.text),
          h("span", { class: "what" }, `test ${tests.number[row.test]}`),
          h("code", { class: "snippet" }, model.brief(row.test)),
          figures(1, 0, tests.solver_us[row.test] + tests.run_us[row.test]),
        ];
      }
      case "chain":
        return h("span", { class: "muted" }, `${plural(row.decisions.length, "decision")} that all tests below share`);
      case "decision":
        return decisionText(row.decision);
      default: {
        const { segment } = row;
        const text =
          segment === 0
            ? h("b", null, `${summary.entry}: ${plural(tests.number.length, "test")}`)
            : decisionText(model.decisionsOf(segment)[0]);
        return [text, figures(model.below[segment], model.bugs[segment], model.time[segment])];
      }
    }
  }

  function decisionText(decision) {
    const [site] = data.decisions[decision];
    const place = model.place(site);
    const where = place.line ? `${place.line}` : place.function || "–";
    return [
      h("span", { class: "line-no", title: place.line ? `${place.file}:${place.line}` : "in the library" }, where),
      h("code", { class: "snippet" }, model.sourceOf(decision)),
      h("span", { class: "what" }, `→ ${model.choice(decision)}`),
    ];
  }

  function figures(nTests, nBugs, time) {
    return h(
      "span",
      { class: "figures" },
      nBugs > 0 && h("span", { class: "bad" }, `${number(nBugs)} failing`),
      nTests > 1 && h("span", null, plural(nTests, "test")),
      h("span", { class: "time" }, duration(time)),
      h("span", { class: "share", "aria-hidden": "true" }, h("span", { style: `width: ${(100 * time) / totalTime}%` })),
    );
  }

  // A screenful to begin with: of what is closed, what most tests go through is opened.
  let closed = [...model.children[0]];
  for (let nRows = 0; closed.length && nRows < FIRST_ROWS;) {
    const largest = closed.reduce((best, segment) => (model.below[segment] > model.below[best] ? segment : best));
    open.add(largest);
    closed = closed.filter((segment) => segment !== largest).concat(model.children[largest]);
    nRows += model.children[largest].length + 1;
  }
  flatten();
  requestAnimationFrame(() => list.reset(rows.length, 0));
  return [
    heading(
      "Execution tree",
      h(
        "p",
        { class: "muted" },
        `${plural(tests.number.length, "test")}, ${plural(tree.segments.length, "fork or end", "forks and ends")}. The bar is the share of the time that the tests below took.`,
      ),
    ),
    list.element,
    h("p", { class: "legend" }, "Arrow keys open and close, * opens what is below, Enter goes to a test."),
  ];
}
