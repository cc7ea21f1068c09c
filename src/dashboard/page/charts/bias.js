// How far results lie from predictions, with what chance alone would explain.

import { h, s } from "../dom.js";

const WIDTH = 300;
const ROW = 26;

/** `rows`: `{name, value, error}`, shares; the bar reaches two standard errors to either side. */
export function biasRows(rows) {
  const widest = Math.max(0.05, ...rows.map((row) => Math.abs(row.value) + 2 * row.error));
  const limit = Math.ceil(widest * 20) / 20;
  const x = (value) => (WIDTH / 2) * (1 + value / limit);
  const marks = [-limit, 0, limit];
  return h("div", { class: "bias" },
    rows.map((row) => h("div", { class: "bias-row" },
      h("span", { class: "bias-name" }, row.name),
      s("svg", { viewBox: `0 0 ${WIDTH} ${ROW}`, role: "img", "aria-label": row.summary },
        s("line", { class: "zero", x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: ROW }),
        s("line", { class: "reach", x1: x(row.value - 2 * row.error), x2: x(row.value + 2 * row.error), y1: ROW / 2, y2: ROW / 2 }),
        s("circle", { class: "point", cx: x(row.value), cy: ROW / 2, r: 4.5 })))),
    h("div", { class: "bias-row scale", "aria-hidden": "true" },
      h("span", { class: "bias-name" }),
      h("div", { class: "bias-scale" }, marks.map((mark) => h("span", null, `${mark > 0 ? "+" : ""}${(mark * 100).toFixed(0).replace("-", "\u2212")} %`)))));
}
