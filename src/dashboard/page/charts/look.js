// What all charts have in common: colours, letters, axes, and what the pointer reads off.

import { h } from "../dom.js";
import { moment } from "../format.js";

/** How high a chart is, in pixels. */
const HEIGHT = 230;

const FONT = "12px Inter, system-ui, sans-serif";

/** What takes on a colour to learn which it is at the moment, light or dark. */
const sample = h("span", { hidden: true });

/** A colour by its name in the style sheet. */
export function colour(name) {
  if (!sample.isConnected) {
    document.body.append(sample);
  }
  sample.style.color = `var(--${name})`;
  return getComputedStyle(sample).color;
}

/** An axis in the colours of the page. */
export function axis(options) {
  return {
    stroke: colour("muted"),
    font: FONT,
    labelFont: FONT,
    labelSize: 16,
    labelGap: 2,
    grid: { stroke: colour("grid"), width: 1 },
    ticks: { stroke: colour("grid"), width: 1, size: 5 },
    size: 28,
    ...options,
  };
}

/** An axis at the side that is as wide as what is written there. */
export function valueAxis(write, options) {
  return axis({
    size: (chart, values) => Math.max(34, 14 + 7 * Math.max(0, ...(values ?? []).map((value) => value.length))),
    values: (chart, splits) => splits.map((value) => (value === null ? "" : write(value))),
    ...options,
  });
}

/**
 * Times as seconds that never go back: what came late stands where it was counted, since that is when
 * the figure changed.
 */
export function timeline(times) {
  let latest = -Infinity;
  return times.map((time) => {
    latest = Math.max(latest, Date.parse(time) / 1000);
    return latest;
  });
}

/** An axis of days and hours, written as everywhere else on the page. */
export function timeAxis() {
  return axis({
    space: 84,
    values: (chart, splits) => splits.map((seconds) => {
      const [day, time] = moment(seconds * 1000).split(" ");
      return time === "00:00" ? day : time;
    }),
  });
}

/** Shows next to the pointer what `lines(index)` says of the point under it. */
export function readout(lines) {
  let box;
  return {
    hooks: {
      init: (chart) => {
        box = h("div", { class: "readout", hidden: true });
        chart.over.append(box);
      },
      setCursor: (chart) => {
        const { idx, left, top } = chart.cursor;
        const said = idx === null || idx === undefined || left < 0 ? [] : lines(idx);
        box.hidden = said.length === 0;
        if (box.hidden) {
          return;
        }
        box.replaceChildren(...said.map((line) => h("div", null, line)));
        const right = left > chart.over.clientWidth / 2;
        box.style.left = right ? "auto" : `${left + 12}px`;
        box.style.right = right ? `${chart.over.clientWidth - left + 12}px` : "auto";
        box.style.top = `${Math.max(0, Math.min(top, chart.over.clientHeight - box.offsetHeight))}px`;
      },
    },
  };
}

/** What every chart starts from: no zooming, no legend of the library's own. */
export function frame(width, options) {
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 24, 0, 0],
    ...options,
    cursor: { drag: { x: false, y: false }, y: false, ...options.cursor },
  };
}
