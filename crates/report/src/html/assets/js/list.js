// A list of which only the visible rows exist, so that its length does not matter.
//
// One element has the focus and says which row is the active one; arrow keys move that.

let nLists = 0;

class VirtualList {
  // row(index) gives { element, properties }: the content and what to set on the row around it.
  constructor({ label, rowHeight, role = "listbox", rowRole = "option", row, onchoose, onkey }) {
    Object.assign(this, { rowHeight, rowRole, row, onchoose, onkey });
    this.id = `list-${nLists++}`;
    this.count = 0;
    this.active = -1;
    this.rows = new Map();
    this.space = h("div", { class: "rows", role: "presentation" });
    this.element = h(
      "div",
      {
        class: "list",
        role,
        tabindex: "0",
        "aria-label": label,
        onscroll: () => this.draw(),
        onkeydown: (event) => this.key(event),
      },
      this.space,
    );
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  // The rows are others now.
  reset(count, active = -1) {
    this.count = count;
    this.active = Math.min(active, count - 1);
    this.space.style.height = `${count * this.rowHeight}px`;
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    this.draw();
    this.mark();
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 6);
    const end = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 6);
    for (const [index, row] of this.rows) {
      if (index < first || index >= end) {
        row.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index < end; index++) {
      if (!this.rows.has(index)) this.add(index);
    }
  }

  add(index) {
    const { element, properties } = this.row(index);
    const row = h(
      "div",
      {
        class: "row",
        id: `${this.id}-${index}`,
        role: this.rowRole,
        "aria-setsize": this.count,
        "aria-posinset": index + 1,
        style: `transform: translateY(${index * this.rowHeight}px); height: ${this.rowHeight}px`,
        onclick: () => {
          this.activate(index);
          this.onchoose?.(index);
        },
        ...properties,
      },
      element,
    );
    row.classList.toggle("active", index === this.active);
    this.rows.set(index, row);
    this.space.append(row);
  }

  activate(index) {
    if (!this.count) return;
    this.active = Math.max(0, Math.min(this.count - 1, index));
    this.reveal(this.active);
    this.mark();
  }

  mark() {
    this.rows.forEach((row, index) => {
      row.classList.toggle("active", index === this.active);
      if (this.rowRole === "option") row.setAttribute("aria-selected", index === this.active);
    });
    if (this.active >= 0) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  // Scrolls as little as it takes; to the middle if the row is far away.
  reveal(index) {
    const { scrollTop, clientHeight } = this.element;
    const top = index * this.rowHeight;
    if (top >= scrollTop && top + this.rowHeight <= scrollTop + clientHeight) return;
    const isNear = Math.abs(top - scrollTop) < 2 * clientHeight;
    if (!isNear) this.element.scrollTop = top - clientHeight / 2;
    else this.element.scrollTop = top < scrollTop ? top : top + this.rowHeight - clientHeight;
    this.draw();
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.activate(this.active + steps[event.key]);
    else if (event.key === "Home") this.activate(0);
    else if (event.key === "End") this.activate(this.count - 1);
    else if (event.key === "Enter" && this.active >= 0) this.onchoose?.(this.active);
    else if (!this.onkey?.(event)) return;
    event.preventDefault();
  }
}
