// Elements, texts and numbers: what every view is made of.

const SVG_SPACE = "http://www.w3.org/2000/svg";

// An element with properties and children. Handlers are functions named on…; false and null children are left out.
function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG_SPACE, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== false && child !== null && child !== undefined);
}

const grouped = new Intl.NumberFormat("en").format;

function number(value) {
  return grouped(value).replaceAll(",", "\u202f");
}

function plural(count, one, many = one + "s") {
  return `${number(count)} ${count === 1 ? one : many}`;
}

function percent({ covered, total }) {
  return total === 0 ? "100" : ((100 * covered) / total).toFixed(covered === total ? 0 : 1);
}

function duration(microseconds) {
  if (microseconds < 1000) return `${microseconds}\u202fµs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(microseconds < 1e4 ? 1 : 0)}\u202fms`;
  if (microseconds < 6e7) return `${(microseconds / 1e6).toFixed(microseconds < 1e7 ? 2 : 1)}\u202fs`;
  const minutes = Math.floor(microseconds / 6e7);
  return `${minutes}\u202fmin ${Math.round((microseconds % 6e7) / 1e6)}\u202fs`;
}

// A link to another view.
function link(route, text, properties) {
  return h("a", { href: `#/${route}`, ...properties }, text);
}

function placeLink(place) {
  if (!place.line) return h("span", { class: "muted" }, place.function ? `in ${place.function}` : "–");
  const file = model.fileNumber(place.file);
  const text = `${place.file}:${place.line}`;
  return file === undefined ? h("code", null, text) : link(`source/${file}/${place.line}`, text, { class: "code" });
}

function heading(title, ...more) {
  return h("div", { class: "heading" }, h("h1", null, title), more);
}

function empty(text) {
  return h("p", { class: "empty" }, text);
}

// A table whose columns are { name, cell(row), class, order(row) }; headers of columns with an order sort by it.
function table(columns, rows, { caption, sort } = {}) {
  const body = h("tbody");
  const draw = () =>
    body.replaceChildren(
      ...rows.map((row) =>
        h(
          "tr",
          null,
          columns.map((column) => h("td", { class: column.class }, column.cell(row))),
        ),
      ),
    );
  const heads = columns.map((column) => {
    if (!column.order) return h("th", { scope: "col", class: column.class }, column.name);
    const head = h(
      "th",
      { scope: "col", class: column.class },
      h("button", { type: "button", class: "sort", onclick: () => sortBy(column) }, column.name),
    );
    return head;
  });
  function sortBy(column) {
    const at = columns.indexOf(column);
    const direction = heads[at].getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[at].setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    rows = [...rows].sort((a, b) => {
      const [x, y] = [column.order(a), column.order(b)];
      return x < y ? -sign : x > y ? sign : 0;
    });
    draw();
  }
  if (sort) sortBy(columns.find((column) => column.name === sort));
  else draw();
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", null, h("caption", { class: "hidden" }, caption), h("thead", null, h("tr", null, heads)), body),
  );
}

// Tells those who don't see the screen.
function say(text) {
  document.getElementById("status").textContent = text;
}
