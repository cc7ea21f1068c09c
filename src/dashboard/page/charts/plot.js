// Draws the charts, and redraws a chart when its data, its width or the theme changes. All time charts of a page share
// one zoom and one cross-hair.

import { drawBars } from "./bars.js";
import { drawCalibration } from "./calibration.js";
import { drawHeat } from "./heat.js";
import { drawLines } from "./lines.js";
import { chosenSpan } from "./span.js";

const DRAW = { lines: drawLines, bars: drawBars, calibration: drawCalibration, heat: drawHeat };

/** Margin on each side of a range without width: half an hour in seconds, or half a step. */
const AROUND_TIME = 1800;
const AROUND = 0.5;

/** Smallest time range of the zoom, in seconds. Axis labels have a resolution of one minute. */
const SHORTEST = 600;

/** Number of points that Page Up and Page Down skip. */
const PAGE = 10;

const shown = new Set();

/** Zoom of all time charts, `[from, to]` in Unix seconds, or `null`. */
let zoomed = null;

const widths = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (shown.has(target) && Math.round(contentRect.width) !== target.drawnWidth) {
      draw(target);
    }
  }
});

/** Draws the new charts under `root` and destroys those that left the page. */
export function drawNew(root) {
  for (const element of shown) {
    if (!element.isConnected) {
      forget(element);
    }
  }
  if (shown.size === 0) {
    zoomed = null;
  }
  for (const element of root.querySelectorAll(".plot")) {
    if (element.plot && !shown.has(element)) {
      shown.add(element);
      element.addEventListener("keydown", (event) => press(element, event));
      element.addEventListener("blur", () => read(element, null));
      draw(element);
      widths.observe(element);
    }
  }
}

/** Redraws a chart with new data, if the data changed. */
export function replot(element, plot) {
  if (JSON.stringify(element.plot) === JSON.stringify(plot)) {
    return;
  }
  element.plot = plot;
  if (shown.has(element)) {
    draw(element);
  }
}

/** Redraws every chart in the colours of the current theme. */
export function redrawAll() {
  for (const element of shown) {
    if (element.isConnected) {
      draw(element);
    } else {
      forget(element);
    }
  }
}

/** Shows round numbers on the x axis if `byRound`, else the time. */
export function turn(element, byRound) {
  element.byRound = byRound;
  element.zoomed = null;
  draw(element);
}

/** Resets the zoom. */
export function zoomOut(element) {
  zoom(element, null);
}

function forget(element) {
  widths.unobserve(element);
  element.chart?.destroy();
  shown.delete(element);
}

function isOverTime({ plot, byRound }) {
  return plot.time === true && !byRound;
}

/** Returns the x value of each point of a chart. The x value of a bar is its middle. */
function positions({ plot, byRound }) {
  if (plot.kind === "calibration") {
    return plot.bins.filter((bin) => bin.rounds > 0).map((bin) => bin.predicted);
  }
  return byRound ? plot.rounds : plot.x ?? plot.from.map((from, place) => (from + plot.to[place]) / 2);
}

/** Returns the x range of a chart without zoom. */
function reach(element) {
  const { plot } = element;
  if (plot.kind === "calibration") {
    return [0, 1];
  }
  const x = positions(element);
  const [first, last] = plot.from ? [plot.from[0], plot.to.at(-1)] : [x[0], x.at(-1)];
  const span = isOverTime(element) && plot.kind === "lines" ? chosenSpan() : null;
  if (span !== null) {
    const now = Date.now() / 1000;
    return [now - span, now];
  }
  const least = isOverTime(element) ? AROUND_TIME : AROUND;
  return last - first < (isOverTime(element) ? SHORTEST : Number.MIN_VALUE) ? [first - least, last + least] : [first, last];
}

/** Returns the visible x range of a chart. */
function range(element) {
  const [from, to] = reach(element);
  const wanted = isOverTime(element) ? zoomed : element.zoomed;
  // Ignores a zoom outside of this chart's data.
  return wanted && wanted[0] < to && wanted[1] > from ? [Math.max(from, wanted[0]), Math.min(to, wanted[1])] : [from, to];
}

function zoom(element, wanted) {
  const together = isOverTime(element) ? [...shown].filter(isOverTime) : [element];
  if (isOverTime(element)) {
    zoomed = wanted;
  } else {
    element.zoomed = wanted;
  }
  for (const one of together) {
    const [min, max] = range(one);
    one.chart?.setScale("x", { min, max });
    offerZoomOut(one);
  }
}

/** Zooms to a range, widened to at least `SHORTEST` and clipped to the data. */
function zoomTo(element, from, to) {
  const [first, last] = reach(element);
  const lacking = isOverTime(element) ? Math.max(0, Math.min(SHORTEST, last - first) - (to - from)) / 2 : 0;
  const wanted = [Math.max(first, from - lacking), Math.min(last, to + lacking)];
  zoom(element, wanted[0] <= first && wanted[1] >= last ? null : wanted);
}

function offerZoomOut(element) {
  const button = element.parentElement?.querySelector(".zoom-out");
  if (button) {
    const [[from, to], [first, last]] = [range(element), reach(element)];
    button.hidden = from <= first && to >= last;
  }
}

/** Returns the event marks with their x values. */
function marksOf(element) {
  const { plot, byRound } = element;
  const marks = plot.marks ?? [];
  if (!byRound) {
    return marks;
  }
  // Places a mark at the first round after the event.
  const place = (time) => plot.x.findIndex((at) => at >= time);
  return marks.map(({ x, text }) => ({ x: plot.rounds.at(place(x)), text }));
}

function draw(element) {
  const { left = -10, top = -10 } = element.chart?.cursor ?? {};
  element.chart?.destroy();
  element.chart = null;
  element.drawnWidth = Math.round(element.clientWidth);
  if (element.drawnWidth > 0) {
    const { plot } = element;
    element.chart = DRAW[plot.kind](element, plot, element.drawnWidth, {
      x: positions(element),
      byRound: element.byRound === true,
      marks: marksOf(element),
      range: () => range(element),
      sync: isOverTime(element) ? "time" : null,
      zoom: plot.kind === "calibration" || plot.labels ? null : (from, to) => zoomTo(element, from, to),
      reset: () => zoom(element, null),
    });
    if (left >= 0) {
      element.chart.setCursor({ left, top }, true, false);
    }
    offerZoomOut(element);
  }
}

/** Selects the point with index `place`, or no point if `null`. */
function read(element, place) {
  const { chart } = element;
  if (!chart) {
    return;
  }
  element.place = place;
  if (place === null) {
    chart.setCursor({ left: -10, top: -10 });
  } else {
    element.setAttribute("aria-valuenow", place);
    const top = element.plot.kind === "heat" ? chart.valToPos((element.row ?? 0) + 0.5, "y") : chart.over.clientHeight / 3;
    chart.setCursor({ left: chart.valToPos(positions(element)[place], "x"), top }, true, true);
  }
}

/** Keyboard control: left and right select points, up and down select rows, plus and minus zoom. */
function press(element, event) {
  if (!element.chart || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const x = positions(element);
  const [from, to] = range(element);
  const inside = x.flatMap((at, place) => (at >= from && at <= to ? [place] : []));
  const [first, last] = inside.length > 0 ? [inside[0], inside.at(-1)] : [0, x.length - 1];
  const place = element.place ?? null;
  const by = (step) => (place === null ? (step > 0 ? first : last) : Math.min(last, Math.max(first, place + step)));
  const line = (step) => {
    if (element.plot.kind === "heat") {
      element.row = Math.min(element.plot.rows.length - 1, Math.max(0, (element.row ?? 0) + step));
    }
    return place ?? first;
  };
  const closer = (factor) => {
    const middle = place === null ? (from + to) / 2 : x[place];
    zoomTo(element, middle - (middle - from) * factor, middle + (to - middle) * factor);
    return place;
  };
  const zoomable = element.plot.kind !== "calibration" && !element.plot.labels;
  const keys = {
    ArrowRight: () => by(1),
    ArrowLeft: () => by(-1),
    ArrowUp: () => line(-1),
    ArrowDown: () => line(1),
    PageDown: () => by(PAGE),
    PageUp: () => by(-PAGE),
    Home: () => first,
    End: () => last,
    Escape: () => null,
    ...(zoomable ? { "+": () => closer(0.5), "-": () => closer(2) } : {}),
  };
  if (Object.hasOwn(keys, event.key) && x.length > 0) {
    event.preventDefault();
    read(element, keys[event.key]());
  }
}
