// A chart with everything around it: its name, what it means, its colours, and the same as a table.

import { h, s } from "../dom.js";
import { table } from "../table.js";

/**
 * `legend`: [name, colour, dashed]; `summary`: what the drawing shows, in a sentence, for those who
 * do not see it; `plot`: what is drawn, or `drawing`: an element that is a drawing; `columns` and
 * `rows`: the figures.
 */
export function chart({ name, explanation, legend = [], summary, plot, drawing, columns, rows, wide = false }) {
  const nothing = rows.length === 0;
  return h("section", { class: wide ? "panel wide" : "panel", "data-key": name },
    h("h2", null, name),
    h("p", { class: "explanation" }, explanation),
    !nothing && legend.length > 0 && h("ul", { class: "legend" }, legend.map(([text, colour, dashed]) => h("li", null, swatch(colour, dashed), text))),
    nothing ? h("p", { class: "nothing" }, "Nothing to draw yet.") : drawing ?? drawn(plot, summary),
    !nothing && h("details", { class: "figures" },
      h("summary", null, "The same as a table", h("span", { class: "unseen" }, `: ${name}`)),
      table({ caption: name, columns, rows })));
}

function drawn(plot, summary) {
  const element = h("div", { class: "plot", role: "img", "aria-label": summary });
  element.plot = plot;
  return element;
}

function swatch(colour, dashed) {
  return s("svg", { class: `swatch ${colour}`, viewBox: "0 0 18 10", width: 18, height: 10, "aria-hidden": "true" },
    dashed
      ? s("line", { x1: 0, y1: 5, x2: 18, y2: 5, "stroke-width": 2, "stroke-dasharray": "5 4" })
      : s("rect", { x: 1, y: 1, width: 16, height: 8, rx: 2, class: "filled" }));
}
