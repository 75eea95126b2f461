// Lines over time.

const CHART = { width: 520, height: 200, left: 56, right: 14, top: 12, bottom: 30 };

// series: [{ name, colour (1 to 4), points: [[ms, value], …] }]; marks are at least a step apart.
function lineChart({ title, series, max, format = number, step = 1 }) {
  const { width, height, left, right, top, bottom } = CHART;
  const lastTime = Math.max(1, ...series.flatMap((line) => line.points.map((point) => point[0])));
  const highest = max ?? Math.max(1, ...series.flatMap((line) => line.points.map((point) => point[1])));
  const [yStep, yEnd] = scale(highest, step);
  const x = (ms) => left + (ms / lastTime) * (width - left - right);
  const y = (value) => height - bottom - (value / yEnd) * (height - top - bottom);
  const grid = [];
  for (let value = 0; value <= yEnd + yStep / 2; value += yStep) {
    grid.push(
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, format(value)),
    );
  }
  const [xStep] = scale(lastTime, 1);
  for (let ms = 0; ms <= lastTime; ms += xStep) {
    grid.push(
      svg(
        "text",
        { class: "tick", x: x(ms), y: height - 8, "text-anchor": ms ? "middle" : "start" },
        seconds(ms, lastTime),
      ),
    );
  }
  const lines = series.map((line) => {
    const points = line.points.map(([ms, value]) => `${x(ms).toFixed(1)} ${y(value).toFixed(1)}`);
    return svg("polyline", { class: `line c${line.colour}`, points: points.join(" ") });
  });
  const cursor = svg("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
  const reading = h("p", { class: "reading", "aria-hidden": "true" }, "\u00a0");
  const times = series[0].points.map((point) => point[0]);
  const drawing = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": describe(title, series, format),
      onpointermove: (event) => {
        const box = drawing.getBoundingClientRect();
        const ms = ((((event.clientX - box.left) / box.width) * width - left) / (width - left - right)) * lastTime;
        const at = Math.max(
          0,
          times.findLastIndex((time) => time <= ms),
        );
        cursor.setAttribute("x1", x(times[at]));
        cursor.setAttribute("x2", x(times[at]));
        cursor.setAttribute("visibility", "visible");
        reading.textContent =
          `${seconds(times[at], lastTime)}: ` +
          series.map((line) => `${format(line.points[at][1])} ${line.name}`).join(", ");
      },
      onpointerleave: () => {
        cursor.setAttribute("visibility", "hidden");
        reading.textContent = "\u00a0";
      },
    },
    grid,
    lines,
    cursor,
  );
  const legend = h(
    "p",
    { class: "legend" },
    series.map((line) => h("span", null, h("i", { class: `c${line.colour}` }), line.name)),
  );
  return h("figure", { class: "panel" }, h("figcaption", null, h("h3", null, title), legend), drawing, reading);
}

function describe(title, series, format) {
  const ends = series.map(
    (line) => `${line.name} from ${format(line.points[0][1])} to ${format(line.points.at(-1)[1])}`,
  );
  return `${title}: ${ends.join("; ")}`;
}

// The distance of marks, and the first mark that is not below the highest value.
function scale(highest, least) {
  const rough = Math.max(least, highest / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  return [step, Math.ceil(highest / step - 1e-9) * step];
}

function seconds(ms, lastTime) {
  if (lastTime < 2000) return `${Math.round(ms)}\u202fms`;
  if (lastTime < 180000) return `${+(ms / 1000).toFixed(1)}\u202fs`;
  return `${+(ms / 60000).toFixed(1)}\u202fmin`;
}

// Parts of a whole, one beside the other: [{ name, value, class, text }]
function shares(label, parts) {
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  return h(
    "div",
    { class: "shares" },
    h(
      "div",
      {
        class: "bar",
        role: "img",
        "aria-label": `${label}: ${parts.map((part) => `${part.name} ${part.text}`).join(", ")}`,
      },
      parts
        .filter((part) => part.value > 0)
        .map((part) => h("span", { class: part.class, style: `flex: ${part.value / total}` })),
    ),
    h(
      "ul",
      { class: "legend", "aria-hidden": "true" },
      parts.map((part) => h("li", null, h("i", { class: part.class }), `${part.name} `, h("b", null, part.text))),
    ),
  );
}
