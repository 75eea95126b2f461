// Findings by class: where, how it came to that, and what the program was given.

// In the order in which they are listed, with what is said of one and of several.
const CLASSES = {
  bug: { title: "Bugs", one: "bug", many: "bugs", tag: "tag bad" },
  "may-not-end": { title: "May not end", one: "may not end", many: "may not end", tag: "tag warn" },
  resource: { title: "Resource limits", one: "exceeds a resource limit", many: "exceed a resource limit", tag: "tag warn" },
  "needs-precondition": {
    title: "Needs a precondition",
    one: "needs a precondition",
    many: "need a precondition",
    tag: "tag",
  },
};

function classOf(bug) {
  return CLASSES[bug.class] ? bug.class : "bug";
}

function kindTag(bug) {
  return h("span", { class: CLASSES[classOf(bug)].tag }, bug.kind);
}

// Classes that have findings, each with these and their numbers.
function findingsByClass() {
  return Object.entries(CLASSES)
    .map(([name, about]) => ({
      ...about,
      name,
      findings: summary.bugs.map((bug, at) => ({ bug, at })).filter(({ bug }) => classOf(bug) === name),
    }))
    .filter(({ findings }) => findings.length);
}

// "2 bugs, 1 needs a precondition"
function findingsInWords() {
  return findingsByClass()
    .map(({ findings, one, many }) => `${number(findings.length)} ${findings.length === 1 ? one : many}`)
    .join(", ");
}

function bugsView(number) {
  if (!summary.bugs.length) return [heading("Findings"), empty("Nothing was found.")];
  const at = Math.min(summary.bugs.length - 1, Number(number ?? findingsByClass()[0].findings[0].at) || 0);
  const bug = summary.bugs[at];
  const test = model.testOf(bug.test);
  return [
    heading("Findings", h("p", { class: "muted" }, findingsInWords())),
    summary.bugs.length > 1 &&
      h(
        "nav",
        { "aria-label": "Findings", class: "picker" },
        findingsByClass().map(({ title, findings }) => [
          h("h2", null, title),
          h(
            "ol",
            null,
            findings.map(({ bug: other, at: number }) =>
              h(
                "li",
                null,
                link(`bugs/${number}`, [kindTag(other), ` ${other.file.split("/").at(-1)}:${other.line}`], {
                  "aria-current": number === at ? "page" : null,
                }),
              ),
            ),
          ),
        ]),
      ),
    h(
      "article",
      { class: "bug" },
      h("h2", null, kindTag(bug), " ", statusTag(bug), " ", bug.message || bug.kind),
      bug.status !== "confirmed" && h("p", { class: "muted" }, bug.reason ?? "No native run has shown it."),
      h(
        "p",
        null,
        placeLink(bug),
        bug.function ? [" in ", h("code", null, bug.function)] : null,
        ` · ${plural(bug.hits, "path ends", "paths end")} here`,
      ),
      bug.precondition &&
        h(
          "p",
          null,
          "Only inputs that violate ",
          h("code", null, bug.precondition),
          " show this. If callers never pass such inputs, say so with ",
          h("code", null, "--assume"),
          ".",
        ),
      data.of_callers && h("p", null, data.of_callers.split("`").map((part, at) => (at % 2 ? h("code", null, part) : part))),
      excerpt(bug, 4),
      bug.notes.map((note) =>
        h(
          "div",
          null,
          h("h3", null, note.message),
          h("p", null, placeLink(note), note.function ? [" in ", h("code", null, note.function)] : null),
          excerpt(note, 1),
        ),
      ),
      bug.stack.length > 1 && [
        h("h3", null, "Calls"),
        h(
          "ol",
          { class: "stack" },
          bug.stack.map((place) => h("li", null, h("code", null, place.function), " ", placeLink(place))),
        ),
      ],
      h("h3", null, "Input"),
      picture(bug.test, test),
      h("h3", null, "Run it again"),
      h(
        "pre",
        { class: "command", tabindex: "0" },
        summary.replay
          ? `spelunk replay ${data.directory} --test ${bug.test}`
          : `spelunk exec ${summary.sources.join(" ")} --test ${data.directory}/tests/${String(bug.test).padStart(6, "0")}.json`,
      ),
      test >= 0 && h("p", null, link(`tests/${bug.test}`, `Test ${bug.test} and its path`)),
    ),
  ];
}

// What a test is given: the calls of a sequence as C code, else a picture.
function picture(number, test) {
  const code = data.codes[number];
  if (code)
    return h(
      "pre",
      { class: "excerpt", tabindex: "0", "aria-label": `Calls of test ${number}` },
      code.map((line) => h("span", { class: "src" }, highlighted(line))),
    );
  const drawing = data.pictures[number];
  if (drawing) {
    const holder = h("div", {
      class: "picture-frame",
      tabindex: "0",
      role: "group",
      "aria-label": `Memory of test ${number}`,
    });
    holder.innerHTML = drawing;
    holder.querySelector("svg")?.setAttribute("aria-label", test >= 0 ? model.brief(test) : "");
    return holder;
  }
  return test >= 0 ? objectBoxes(test) : empty("Its test was not kept.");
}

// Lines of source around a place, with a mark below it.
function excerpt(place, around) {
  const file = model.fileNumber(place.file);
  if (file === undefined || !place.line || data.files[file].text === null) return null;
  const lines = model.fileLines(file);
  const first = Math.max(1, place.line - around),
    last = Math.min(lines.length, place.line + around);
  const rows = [];
  for (let line = first; line <= last; line++) {
    const isPlace = line === place.line;
    rows.push(
      h(
        "span",
        { class: isPlace ? "src here" : "src" },
        h("span", { class: "no" }, String(line).padStart(5)),
        " ",
        highlighted(lines[line - 1]),
      ),
    );
    if (isPlace && place.column > 0)
      rows.push(
        h(
          "span",
          { class: "src caret" },
          " ".repeat(6),
          lines[line - 1].slice(0, place.column - 1).replace(/[^\t]/g, " "),
          "▲",
        ),
      );
  }
  return h("pre", { class: "excerpt", tabindex: "0", "aria-label": `${place.file} around line ${place.line}` }, rows);
}

const TOKENS =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|bool|size_t|NULL)\b|\b(0[xX][\da-fA-F]+|\d[\d.]*)\w*/g;
const TOKEN_CLASSES = ["t-comment", "t-string", "t-directive", "t-keyword", "t-number"];

// A line of C with its words coloured. What spans lines is not known here.
function highlighted(line) {
  const parts = [];
  let at = 0;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index > at) parts.push(line.slice(at, match.index));
    const group = match.slice(1).findIndex((text) => text !== undefined);
    parts.push(h("span", { class: TOKEN_CLASSES[group] }, match[0]));
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push(line.slice(at));
  return parts;
}
