// All tests: find, sort, look at one.

function testsView(numberText) {
  if (!tests.number.length)
    return [heading("Tests"), empty("There are no tests: the campaign was run with --no-tests, or found no path.")];
  let found = [];
  const list = new VirtualList({
    label: "Tests",
    rowHeight: 34,
    row: (index) => testRow(found[index]),
    onchoose: (index) => show(found[index]),
  });
  const detail = h("section", { class: "detail panel", tabindex: "-1", "aria-label": "Test" });
  const search = h("input", {
    type: "search",
    placeholder: "Search inputs, ends and numbers",
    "aria-label": "Search",
    oninput: () => filter(),
  });
  const kinds = [...new Set(tests.end.map((end) => endName(data.ends[end])))].sort();
  const kind = h(
    "select",
    { "aria-label": "How tests end", onchange: () => filter() },
    h("option", { value: "" }, "all ends"),
    kinds.map((name) => h("option", { value: name }, name)),
  );
  const order = h(
    "select",
    { "aria-label": "Order", onchange: () => filter() },
    Object.keys(ORDERS).map((name) => h("option", { value: name }, name)),
  );
  const count = h("p", { class: "muted", "aria-live": "polite" });

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const sortKey = ORDERS[order.value];
    found = [];
    for (let test = 0; test < tests.number.length; test++) {
      if (kind.value && endName(model.end(test)) !== kind.value) continue;
      if (words.length) {
        const text = `${tests.number[test]} ${model.end(test).text} ${model.brief(test)}`.toLowerCase();
        if (!words.every((word) => text.includes(word))) continue;
      }
      found.push(test);
    }
    if (sortKey) found.sort((a, b) => sortKey(b) - sortKey(a));
    count.textContent =
      found.length === tests.number.length
        ? plural(found.length, "test")
        : `${number(found.length)} of ${plural(tests.number.length, "test")}`;
    list.element.scrollTop = 0;
    list.reset(found.length);
  }

  function show(test) {
    history.replaceState(null, "", `#/tests/${tests.number[test]}`);
    detail.replaceChildren(...present(testDetail(test)));
    say(`Test ${tests.number[test]}`);
  }

  requestAnimationFrame(() => {
    filter();
    const test = numberText === undefined ? -1 : model.testOf(Number(numberText));
    if (test >= 0) list.activate(found.indexOf(test));
    if (test >= 0 || found.length) detail.replaceChildren(...present(testDetail(test >= 0 ? test : found[0])));
  });
  return [
    heading("Tests", count),
    h("div", { class: "tools", role: "search" }, search, kind, order),
    h("div", { class: "split" }, list.element, detail),
  ];
}

const ORDERS = {
  "by number": null,
  "slowest first": (test) => tests.solver_us[test] + tests.run_us[test],
  "most decisions first": (test) => tests.n_decisions[test],
  "most instructions first": (test) => tests.instructions[test],
  "largest input first": (test) =>
    tests.input[test].length * 1000 + tests.input[test].reduce((sum, object) => sum + object[2].length, 0),
};

function endName(end) {
  return end.kind === "bug" || end.kind === "exited" ? end.text : ENDS[end.kind];
}

function testRow(test) {
  const end = model.end(test);
  return {
    element: h(
      "div",
      { class: "test-row" },
      h("span", { class: "no" }, tests.number[test]),
      h("span", { class: `tag e-${end.kind}` }, end.text),
      h("code", { class: "snippet" }, model.brief(test)),
      h("span", { class: "figures" }, plural(tests.n_decisions[test], "decision")),
    ),
  };
}

function testDetail(test) {
  const end = model.end(test);
  const path = model.path(test);
  const decisions = new VirtualList({
    label: "Decisions",
    rowHeight: 26,
    role: "list",
    rowRole: "listitem",
    row: (index) => ({ element: decisionRow(path[index], index) }),
    onchoose: (index) => {
      const [file, line] = data.sites[data.decisions[path[index]][0]] ?? [-1];
      if (file >= 0) location.hash = `#/source/${file}/${line}`;
    },
  });
  decisions.element.classList.add("short");
  decisions.element.style.height = `${Math.min(14, path.length) * 26 + 2}px`;
  requestAnimationFrame(() => decisions.reset(path.length));
  const left = tests.n_decisions[test] - path.length;
  return [
    h("h2", null, `Test ${tests.number[test]} `, h("span", { class: `tag e-${end.kind}` }, end.text)),
    end.line > 0 && h("p", null, placeLink(end), " in ", h("code", null, end.function)),
    h(
      "p",
      { class: "muted" },
      `${plural(tests.instructions[test], "instruction")}, ${duration(tests.solver_us[test])} to find, ${duration(tests.run_us[test])} to run`,
    ),
    h("h3", null, "Input"),
    picture(tests.number[test], test),
    h("h3", null, plural(tests.n_decisions[test], "decision")),
    path.length ? decisions.element : empty("None: the path does not depend on the input."),
    left > 0 && h("p", { class: "muted" }, `and ${number(left)} more in the test's file`),
  ];
}

function decisionRow(decision, index) {
  const place = model.place(data.decisions[decision][0]);
  return h(
    "div",
    { class: "tree-row" },
    h("span", { class: "no" }, index + 1),
    h("span", { class: "line-no" }, place.line || place.function || "–"),
    h("code", { class: "snippet" }, model.sourceOf(decision)),
    h("span", { class: "what" }, `→ ${model.choice(decision)}`),
  );
}

// The objects of an input as boxes; pointers lead to the boxes with their numbers.
function objectBoxes(test) {
  const objects = tests.input[test];
  if (!objects.length || (objects.length === 1 && !objects[0][2].length))
    return empty("The program asks for none on this path.");
  const boxes = objects.map(([title, name, cells], at) => {
    const rows = [];
    for (let row = 0; row < cells.length; row += 2) {
      const value = cells[row + 1];
      rows.push(
        h(
          "tr",
          null,
          h("th", { scope: "row" }, data.strings[cells[row]] || "value"),
          h("td", { class: value === null ? "null" : Array.isArray(value) ? "pointer" : null }, cellText(value)),
        ),
      );
    }
    return (
      rows.length > 0 &&
      h(
        "table",
        { class: "object" },
        h(
          "caption",
          null,
          at ? `#${at} ` : "",
          h("b", null, data.strings[title]),
          at ? [" ", h("code", null, data.strings[name])] : null,
        ),
        h("tbody", null, rows),
      )
    );
  });
  return h("div", { class: "objects" }, boxes);
}
