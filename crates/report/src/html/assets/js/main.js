// Which view is shown: the part of the address behind #/ says it.

const VIEWS = {
  overview: { title: "Overview", view: overviewView },
  bugs: { title: "Findings", view: bugsView, count: summary.bugs.length, class: summary.bugs.length ? "bad" : "" },
  source: { title: "Source", view: sourceView },
  tree: { title: "Execution tree", view: treeView },
  time: { title: "Time", view: timeView },
  ledger: { title: "Ledger", view: ledgerView, count: summary.ledger.length },
  tests: { title: "Tests", view: testsView, count: tests.number.length },
};

const main = document.getElementById("main");
const items = Object.entries(VIEWS).map(([name, view]) => {
  const anchor = link(name, [
    view.title,
    view.count !== undefined && h("span", { class: `count ${view.class ?? ""}` }, number(view.count)),
  ]);
  document.getElementById("nav").append(h("li", null, anchor));
  return [name, anchor];
});

let isFirst = true;
function route() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const shown = name in VIEWS ? name : "overview";
  items.forEach(([other, anchor]) => {
    if (other !== shown) return anchor.removeAttribute("aria-current");
    anchor.setAttribute("aria-current", "page");
    anchor.scrollIntoView({ block: "nearest", inline: "center" });
  });
  main.className = `view-${shown}`;
  main.replaceChildren(...present(VIEWS[shown].view(...rest)));
  document.title = `${VIEWS[shown].title} · ${summary.entry} · Spelunk`;
  if (!isFirst) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  isFirst = false;
}

const THEMES = { "": "Follow system", light: "Light", dark: "Dark" };
const themeButton = document.getElementById("theme");
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  themeButton.textContent = `Theme: ${THEMES[theme]}`;
}

// A page from a file may have no storage.
function stored(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

themeButton.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme ?? "") + 1) % names.length];
  setTheme(next);
  stored(() => localStorage.setItem("spelunk-theme", next));
});
const remembered = stored(() => localStorage.getItem("spelunk-theme"));
setTheme(remembered in THEMES ? remembered : "");
addEventListener("hashchange", (event) => {
  if (new URL(event.newURL).hash !== "#main") route();
});
route();
