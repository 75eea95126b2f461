// What was given up.

const LOSSES = {
  "concrete-address": "An address was made concrete: other addresses are tried as another alternative.",
  "concrete-value": "A size, count or argument was made concrete: other values are tried as another alternative.",
  "concrete-text": "Text that the program may read again was made of concrete values.",
  "solver-unknown": "The solver did not know whether an alternative has an input.",
  "depth-cut": "Alternatives beyond --depth.",
  "beside-targets": "Alternatives that lead to no target.",
  refused: "Alternatives that a theory excludes.",
  divergence: "A run left the path that was predicted for it.",
  "internal-error": "An error of spelunk itself.",
  unsupported: "Paths ended at something that can't be run.",
  limit: "Paths were ended by a limit.",
  "snapshots-dropped": "Snapshots were dropped to make room.",
  independent: "Alternatives that other paths stand for, since the inputs that differ are independent.",
  "flow-not-followed": "What depends on what is not known: everything was explored.",
  "ended-check": "A check of the input took too long, and was taken to accept it.",
  "kept-apart": "An object was taken not to lie around one that was met before it.",
  "unchecked-rules": "Rules for heaps were not checked in all ways that a heap can be visited.",
  "unmodelled-call": "A function that nobody defines was taken to return an input and do nothing else.",
};

// What a loss means for the paths that were found.
const EFFECTS = {
  unexplored: "paths may be missing",
  "beyond-bound": "paths beyond the bound are missing",
  assumed: "an assumption",
  "one-by-one": "more paths, none missing",
  "left-out": "part of the account is missing",
  slower: "took longer",
  implied: "fewer paths, nothing missing",
};

function ledgerView() {
  return [
    heading("Ledger", h("p", { class: "muted" }, "What was not explored exactly, or at all")),
    summary.ledger.length
      ? table(
          [
            {
              name: "What",
              cell: (line) => [h("span", { class: "tag" }, line.kind), " ", line.detail || LOSSES[line.kind]],
              order: (line) => line.kind,
            },
            { name: "Effect", cell: (line) => EFFECTS[line.effect] ?? line.effect, order: (line) => line.effect },
            { name: "Place", cell: (line) => placeLink(line) },
            { name: "Function", cell: (line) => (line.function ? h("code", null, line.function) : "") },
            { name: "Times", class: "right", cell: (line) => number(line.count), order: (line) => line.count },
          ],
          summary.ledger,
          { caption: "Ledger" },
        )
      : empty(
          summary.exhausted
            ? "Nothing. Every path was explored, exactly."
            : "Nothing, apart from what the campaign had no time for.",
        ),
  ];
}
