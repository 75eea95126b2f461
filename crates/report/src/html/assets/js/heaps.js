// Rules for heaps: what each has refused, and whether paths have valid inputs.

function heapsSection() {
  const { rules = [], audit } = summary;
  if (!rules.length && !audit) return null;
  return h(
    "section",
    { "aria-label": "Heaps" },
    h("h2", null, "Heaps"),
    audit ? h("div", { class: "panel" }, shares("Inputs of paths, by --audit", auditShares(audit)), falseAlarms(audit)) : null,
    rules.length
      ? table(
          [
            { name: "Rule", cell: (rule) => h("code", null, rule.rule), order: (rule) => rule.rule },
            { name: "Place", cell: (rule) => h("code", null, `${rule.file}:${rule.line}`) },
            {
              name: "Alternatives refused",
              class: "right",
              cell: (rule) => number(rule.refused),
              order: (rule) => rule.refused,
            },
          ],
          rules,
          { caption: "Rules for heaps" },
        )
      : null,
  );
}

function auditShares({ valid, invalid, unknown }) {
  return [
    { name: "valid", value: valid, class: "e-exited" },
    { name: "invalid", value: invalid, class: "e-bug" },
    { name: "unknown", value: unknown, class: "e-limit" },
  ]
    .filter(({ value }) => value)
    .map((share) => ({ ...share, text: number(share.value) }));
}

function falseAlarms(audit) {
  return audit.false_alarms
    ? h(
        "p",
        { class: "warning" },
        h("b", null, plural(audit.false_alarms, "false alarm")),
        ": paths that end in a bug and have no valid input.",
      )
    : null;
}
