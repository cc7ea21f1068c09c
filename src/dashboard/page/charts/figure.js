// A chart panel: title, explanation, legend, drawing, and the same data as a table.

import { h } from "../dom.js";
import { save } from "../download.js";
import { moment } from "../format.js";
import { saveTable, table } from "../table.js";
import { picture } from "./picture.js";
import { turn, zoomOut } from "./plot.js";
import { chosenSpan } from "./span.js";
import { swatch } from "./style.js";

/**
 * `legend` is a list of [name, colour, dashed]. `summary` describes the drawing in one sentence for screen readers. Pass
 * either `plot`, the data to draw, or `drawing`, a finished element. `columns` and `rows` make the table.
 */
export function chart({ name, explanation, legend = [], summary, plot, drawing, columns, rows, wide = false }) {
  const nothing = rows.length === 0;
  return h("section", { class: wide ? "panel wide" : "panel", "data-key": name },
    h("h2", null, name),
    h("p", { class: "explanation" }, explanation),
    !nothing && legend.length > 0 && h("ul", { class: "legend" }, legend.map(([text, colour, dashed]) => h("li", null, swatch(plot, colour, dashed), text))),
    nothing ? h("p", { class: "nothing" }, chosenSpan() === null ? "No data yet." : "No data in this period.") : drawing ?? drawn(plot, summary, name),
    !nothing && h("div", { class: "figure-foot" },
      h("details", { class: "figures" },
        h("summary", null, "Show as table", h("span", { class: "unseen" }, `: ${name}`)),
        table({ caption: name, columns, rows, file: false }),
        plot?.marks?.length > 0 && happened(plot.marks, name)),
      h("div", { class: "figure-tools" },
        plot?.rounds && h("button", { type: "button", class: "tool", "data-keep": true, "aria-pressed": "false", onclick: byRound }, "By round"),
        plot && h("button", { type: "button", class: "tool", "aria-label": `PNG of ${name}`, onclick: (event) => take(event, name, legend) }, "PNG"),
        h("button", { type: "button", class: "tool", "aria-label": `CSV of ${name}`, onclick: () => saveTable(name, columns, rows) }, "CSV"))));
}

function drawn(plot, summary, name) {
  const element = h("div", {
    class: plot.kind === "heat" ? "plot heat" : "plot", role: "slider", tabindex: 0, "aria-label": summary, "aria-roledescription": "chart, use the arrow keys to read values",
    "aria-valuemin": 0, "aria-valuemax": Math.max(0, (plot.x ?? plot.from ?? plot.bins).length - 1), "aria-valuenow": 0, "aria-valuetext": "no point selected", "aria-readonly": "true",
  });
  element.plot = plot;
  const out = h("button", { type: "button", class: "zoom-out tool", "data-keep": true, hidden: true, "aria-label": `Show all of ${name}`, onclick: () => zoomOut(element) }, "Show all");
  return h("div", { class: "plot-frame" }, element, out);
}

/** Switches the x axis between time and round number. */
function byRound({ currentTarget: button }) {
  const pressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(pressed));
  turn(plotOf(button), pressed);
}

function plotOf(button) {
  return button.closest(".panel").querySelector(".plot");
}

function happened(marks, name) {
  return table({
    caption: `Events in this period: ${name}`,
    visibleCaption: true,
    rows: marks,
    file: false,
    columns: [
      { name: "When", cell: ({ x }) => moment(x * 1000) },
      { name: "Event", cell: ({ text }) => text },
    ],
  });
}

async function take({ currentTarget: button }, name, legend) {
  const element = plotOf(button);
  if (element.chart) {
    save(await picture(element, name, legend), name, "png");
  }
}
