// Horizontal error bars: observed minus predicted results, with the range that chance explains.

import { h, s } from "../dom.js";
import { points } from "../format.js";

const WIDTH = 300;
const ROW = 34;

/** Draws a bar of ±2 standard errors for each row `{name, value, error, summary}`, with shares from -1 to 1. */
export function biasRows(rows) {
  const widest = Math.max(0.05, ...rows.map((row) => Math.abs(row.value) + 2 * row.error));
  const limit = Math.ceil(widest * 20) / 20;
  const x = (value) => (WIDTH / 2) * (1 + value / limit);
  const ends = (row) => [x(row.value - 2 * row.error), x(row.value + 2 * row.error)];
  return h("div", { class: "bias" },
    rows.map((row) => h("div", { class: "bias-row" },
      h("span", { class: "bias-name" }, row.name),
      s("svg", { viewBox: `0 0 ${WIDTH} ${ROW}`, role: "img", "aria-label": row.summary },
        s("title", null, row.summary),
        s("line", { class: "zero", x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: ROW }),
        s("line", { class: "reach", x1: ends(row)[0], x2: ends(row)[1], y1: ROW / 2, y2: ROW / 2 }),
        ends(row).map((end) => s("line", { class: "reach", x1: end, x2: end, y1: ROW / 2 - 5, y2: ROW / 2 + 5 })),
        s("circle", { class: "point", cx: x(row.value), cy: ROW / 2, r: 5 })),
      h("span", { class: "bias-value" }, points(row.value), h("span", { class: "muted" }, ` ± ${points(2 * row.error).replace("+", "")}`)))),
    h("div", { class: "bias-row scale", "aria-hidden": "true" },
      h("span", { class: "bias-name" }),
      h("div", { class: "bias-scale" }, [-limit, 0, limit].map((mark) => h("span", null, points(mark, 0)))),
      h("span", { class: "bias-value" })));
}
