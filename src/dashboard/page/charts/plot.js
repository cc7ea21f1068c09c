// Where charts are drawn: each again when its figures, its width or the colours change.

import { drawBars } from "./bars.js";
import { drawCalibration } from "./calibration.js";
import { drawLines } from "./lines.js";

const DRAW = { lines: drawLines, bars: drawBars, calibration: drawCalibration };

const shown = new Set();

const widths = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    if (shown.has(target) && Math.round(contentRect.width) !== target.drawnWidth) {
      draw(target);
    }
  }
});

/** Draws the charts under `root` that are not drawn yet, and forgets those that are gone. */
export function drawNew(root) {
  for (const element of shown) {
    if (!element.isConnected) {
      forget(element);
    }
  }
  for (const element of root.querySelectorAll(".plot")) {
    if (element.plot && !shown.has(element)) {
      shown.add(element);
      draw(element);
      widths.observe(element);
    }
  }
}

/** Gives a chart new figures. */
export function replot(element, plot) {
  if (JSON.stringify(element.plot) === JSON.stringify(plot)) {
    return;
  }
  element.plot = plot;
  if (shown.has(element)) {
    draw(element);
  }
}

/** Draws every chart again, in the colours of the present theme. */
export function redrawAll() {
  for (const element of shown) {
    if (element.isConnected) {
      draw(element);
    } else {
      forget(element);
    }
  }
}

function forget(element) {
  widths.unobserve(element);
  element.chart?.destroy();
  shown.delete(element);
}

function draw(element) {
  element.chart?.destroy();
  element.chart = null;
  element.drawnWidth = Math.round(element.clientWidth);
  if (element.drawnWidth > 0) {
    element.chart = DRAW[element.plot.kind](element, element.plot, element.drawnWidth);
  }
}
