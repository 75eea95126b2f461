// What the campaign left, and what follows from it.

const data = JSON.parse(document.getElementById("data").textContent);
const { summary, tests, tree } = data;

const model = (() => {
  const fileNumbers = new Map(data.files.map((file, at) => [file.path, at]));
  const nSegments = tree.segments.length;

  // By segment: tests that end in it or below, how many of them in a bug, and what they took. Segments stand behind the
  // one above them.
  const below = new Uint32Array(nSegments),
    bugs = new Uint32Array(nSegments),
    time = new Float64Array(nSegments);
  const endings = Array.from({ length: nSegments }, () => []);
  tests.segment.forEach((segment, test) => {
    endings[segment].push(test);
    below[segment] += 1;
    bugs[segment] += data.ends[tests.end[test]].kind === "bug" ? 1 : 0;
    time[segment] += tests.solver_us[test] + tests.run_us[test];
  });
  const children = Array.from({ length: nSegments }, () => []);
  for (let segment = nSegments - 1; segment > 0; segment--) {
    const above = tree.segments[segment][0];
    children[above].unshift(segment);
    below[above] += below[segment];
    bugs[above] += bugs[segment];
    time[above] += time[segment];
  }

  // By decision, how many tests take it.
  const hits = new Uint32Array(data.decisions.length);
  const onPath = new Uint32Array(data.decisions.length);
  const open = [];
  const eachDecision = (segment, visit) => {
    const [, first, length] = tree.segments[segment];
    for (let at = first; at < first + length; at++) visit(tree.decisions[at]);
  };
  for (let segment = 0; segment < nSegments; segment++) {
    while (open.length && segment && open.at(-1) !== tree.segments[segment][0]) {
      eachDecision(open.pop(), (decision) => onPath[decision]--);
    }
    eachDecision(segment, (decision) => {
      if (onPath[decision]++ === 0) hits[decision] += below[segment];
    });
    open.push(segment);
  }

  // By site and alternative of branches and switches, how many tests take it.
  const taken = new Map();
  data.decisions.forEach(([site, kind, key], decision) => {
    if (data.kinds[kind] === "branch" || data.kinds[kind] === "switch") taken.set(`${site}:${key}`, hits[decision]);
  });

  const targetLines = new Map(data.branches.map(([site, outcome, line]) => [`${site}:${outcome}`, line]));

  return {
    below,
    bugs,
    time,
    endings,
    children,
    hits,
    fileNumber: (path) => fileNumbers.get(path),
    fileLines: (() => {
      const cache = new Map();
      return (file) => {
        if (!cache.has(file)) cache.set(file, (data.files[file]?.text ?? "").split("\n"));
        return cache.get(file);
      };
    })(),

    place(site) {
      const [file, line, column, fn] = data.sites[site] ?? [-1, 0, 0, -1];
      return { file: data.files[file]?.path ?? "", line, column, function: data.functions[fn] ?? "" };
    },

    // How many tests decide a branch this way; undefined if it does not depend on the input.
    takenBy: (site, outcome) => taken.get(`${site}:${outcome}`),

    // What a decision came to, in words.
    choice(decision) {
      const [site, kindNumber, key] = data.decisions[decision];
      const kind = data.kinds[kindNumber];
      switch (kind) {
        case "branch":
          if (data.sites[site]?.[4] === 0) return key === 1 ? "one way" : "the other way";
          return key === 1 ? "true" : "false";
        case "switch": {
          const line = targetLines.get(`${site}:${key}`);
          return line ? `goes to line ${line}` : "goes elsewhere";
        }
        case "value":
          return `the value is ${key}`;
        case "region":
          return "points into an object";
        case "alias":
          return key === 3 ? "pointers share the object" : "pointers are apart";
        default:
          return key === 1 ? kind : `no ${kind}`;
      }
    },

    // The line of source where a decision is made.
    sourceOf(decision) {
      const [site] = data.decisions[decision];
      const [file, line] = data.sites[site] ?? [-1, 0];
      return file < 0 ? "" : (this.fileLines(file)[line - 1] ?? "").trim();
    },

    // The decisions of a test, from the first.
    path(test) {
      const segments = [];
      for (let segment = tests.segment[test]; ; segment = tree.segments[segment][0]) {
        segments.push(segment);
        if (segment === 0) break;
      }
      const path = [];
      segments.reverse().forEach((segment) => eachDecision(segment, (decision) => path.push(decision)));
      return path;
    },

    decisionsOf(segment) {
      const path = [];
      eachDecision(segment, (decision) => path.push(decision));
      return path;
    },

    end: (test) => data.ends[tests.end[test]],
    testOf: (number) => tests.number.indexOf(number),

    // What a test is given, on one line.
    brief: (() => {
      const cache = new Map();
      return (test) => {
        if (!cache.has(test)) cache.set(test, brief(tests.input[test]));
        return cache.get(test);
      };
    })(),
  };

  function brief(objects) {
    return objects
      .flatMap(([title, , cells], at) => {
        const parts = [];
        for (let row = 0; row < cells.length; row += 2) {
          const label = data.strings[cells[row]];
          parts.push(label ? `${label} = ${cellText(cells[row + 1])}` : cellText(cells[row + 1]));
        }
        if (at === 0) return parts;
        return [`#${at} ${data.strings[title]} { ${parts.join(", ")} }`];
      })
      .join("  ");
  }
})();

function cellText(cell) {
  if (cell === null) return "null";
  if (Array.isArray(cell)) return `→ #${cell[0]}${cell[2] ? ` + ${cell[2]}` : ""}`;
  return data.strings[cell];
}
