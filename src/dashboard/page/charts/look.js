// Shared chart parts: colours, fonts, axes, and the readout at the pointer.

import { h } from "../dom.js";
import { moment } from "../format.js";

/** Chart height in pixels. */
export const HEIGHT = 230;

export const FONT = "12px Inter, system-ui, sans-serif";

/** A mark within this many pixels of the pointer is shown in the readout. */
const NEAR = 6;

/** Hidden element that resolves a colour variable in the current theme. */
const sample = h("span", { hidden: true });

/** Returns the colour of the CSS variable `--name` with the given opacity, from 0 to 1. */
export function colour(name, opacity = 1) {
  if (!sample.isConnected) {
    document.body.append(sample);
  }
  sample.style.color = `var(--${name})`;
  const found = getComputedStyle(sample).color;
  return opacity === 1 ? found : found.replace("rgb(", "rgba(").replace(")", `, ${opacity})`);
}

/** Returns the options of an axis in the page's colours. */
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

/** Returns a vertical axis that is as wide as its labels. `write(value, digits)` gets enough digits to tell them apart. */
export function valueAxis(write, options) {
  return axis({
    size: (chart, values) => Math.max(34, 14 + 7 * Math.max(0, ...(values ?? []).map((value) => value.length))),
    values: (chart, splits, place, space, step) => splits.map((value) => (value === null ? "" : write(value, digitsOf(step)))),
    ...options,
  });
}

/** Returns the number of decimals for values that are `step` apart. */
function digitsOf(step) {
  return [0, 1, 2, 3, 4].find((digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) ?? 5;
}

/**
 * Converts times to Unix seconds that never decrease. A round that arrived late appears when it was counted, because
 * the values changed then.
 */
export function timeline(times) {
  let latest = -Infinity;
  return times.map((time) => {
    latest = Math.max(latest, Date.parse(time) / 1000);
    return latest;
  });
}

/** Returns a time axis with days and hours, without repeated labels. */
export function timeAxis() {
  return axis({
    space: 84,
    values: (chart, splits) => {
      const labels = splits.map((seconds) => {
        const [day, time] = moment(seconds * 1000).split(" ");
        return time === "00:00" ? day : time;
      });
      return labels.map((label, place) => (label === labels[place - 1] ? "" : label));
    },
  });
}

/**
 * Shows a box next to the selected point, with the text of `lines(index)` and of the marks near the pointer.
 */
export function readout(lines, marks = () => []) {
  let box;
  return {
    hooks: {
      init: (chart) => {
        box = h("div", { class: "readout", hidden: true });
        chart.over.append(box);
      },
      setCursor: (chart) => {
        const { idx, left, top } = chart.cursor;
        const off = idx === null || idx === undefined || left < 0;
        const near = off ? [] : marks().filter(({ x }) => Math.abs(chart.valToPos(x, "x") - (chart.pointed ?? left)) <= NEAR);
        const said = off ? [] : [...lines(idx, chart), ...near.map(({ text }) => `▾ ${text}`)];
        const element = chart.root.parentElement;
        if (element?.matches(":focus")) {
          element.setAttribute("aria-valuetext", said.join(". ") || "no point selected");
        }
        box.hidden = said.length === 0;
        if (box.hidden) {
          return;
        }
        box.replaceChildren(...said.map((line) => h("div", null, line)));
        // On the side of the point with more space, and always within the chart.
        const { clientWidth: room, offsetLeft: before } = chart.over;
        const beside = left > room / 2 ? left - 12 - box.offsetWidth : left + 12;
        box.style.left = `${Math.max(-before, Math.min(beside, room - box.offsetWidth))}px`;
        box.style.top = `${Math.max(0, Math.min(top, chart.over.clientHeight - box.offsetHeight))}px`;
      },
    },
  };
}

/**
 * Returns the options that all charts share. Charts with the same `view.sync` share a cross-hair. Charts that can be
 * zoomed have `view.zoom(from, to)` and `view.reset()`.
 */
export function frame(width, view, options) {
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [10, 24, 0, 0],
    ...options,
    cursor: {
      y: false,
      drag: { x: Boolean(view.zoom), y: false, setScale: false },
      // Snaps the cross-hair to the selected point.
      move: (chart, left, top) => {
        chart.pointed = left;
        return left < 0 || chart.data[0].length === 0 ? [left, top] : [chart.valToPos(chart.data[0][chart.posToIdx(left)], "x"), top];
      },
      ...(view.zoom ? { bind: { dblclick: () => () => view.reset() } } : {}),
      // Other charts follow the pointer only. A drag reaches them as a change of the zoom.
      ...(view.sync ? { sync: { key: view.sync, scales: ["x", null], filters: { pub: (kind) => kind === "mousemove" || kind === "mouseleave" } } } : {}),
      ...options.cursor,
    },
    hooks: {
      ...options.hooks,
      setSelect: [(chart) => {
        const { left, width: wide } = chart.select;
        if (wide > 2) {
          const [from, to] = [chart.posToVal(left, "x"), chart.posToVal(left + wide, "x")];
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          view.zoom(from, to);
        }
      }],
    },
  };
}

/** Draws a vertical line with a small flag for each mark. */
export function drawMarks(chart, marks) {
  const { ctx, bbox } = chart;
  const size = 4 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour("mark");
  ctx.fillStyle = colour("mark");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { x } of marks) {
    const left = Math.round(chart.valToPos(x, "x", true));
    if (left >= bbox.left && left <= bbox.left + bbox.width) {
      ctx.beginPath();
      ctx.moveTo(left, bbox.top);
      ctx.lineTo(left, bbox.top + bbox.height);
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(left - size, bbox.top - size);
      ctx.lineTo(left + size, bbox.top - size);
      ctx.lineTo(left, bbox.top + size);
      ctx.fill();
    }
  }
  ctx.restore();
}
