// Calibration chart: predicted against observed win rate. Accurate predictions lie on the diagonal.

import { count, percent } from "../format.js";
import { axis, colour, frame, readout, valueAxis } from "./look.js";

const TENTHS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Height of the tallest bar of rounds per bin, as a share of the chart's height. */
const BARS = 0.22;

/**
 * Draws the chart of `plot.bins`, each `{from, to, rounds, predicted, observed, low, high}` with shares from 0 to 1.
 */
export function drawCalibration(element, plot, width, view) {
  const bins = plot.bins.filter((bin) => bin.rounds > 0);
  const most = Math.max(1, ...bins.map((bin) => bin.rounds));
  const write = (value) => percent(value, 0);
  const options = frame(width, view, {
    scales: { x: { time: false, range: () => [0, 1] }, y: { range: () => [0, 1] } },
    axes: [
      axis({ splits: () => TENTHS, values: () => TENTHS.map(write), label: "predicted win rate of team A" }),
      valueAxis(write, { splits: () => TENTHS }),
    ],
    series: [{}, {
      label: "Observed",
      stroke: colour("series-1"),
      width: 1.5,
      points: { show: true, size: 7, fill: colour("series-1") },
    }],
    hooks: {
      drawClear: [(chart) => {
        bars(chart, bins, most);
        diagonal(chart);
      }],
      draw: [(chart) => intervals(chart, bins)],
    },
    plugins: [readout((at) => [
      `Predicted ${percent(bins[at].predicted)}, observed ${percent(bins[at].observed)}`,
      `probably (95 %) between ${percent(bins[at].low)} and ${percent(bins[at].high)}`,
      `${count(bins[at].rounds)} rounds`,
    ])],
  });
  const points = [bins.map((bin) => bin.predicted), bins.map((bin) => bin.observed)];
  return new uPlot(options, points, element);
}

function position(chart, x, y) {
  return [Math.round(chart.valToPos(x, "x", true)), Math.round(chart.valToPos(y, "y", true))];
}

function bars(chart, bins, most) {
  const { ctx } = chart;
  ctx.save();
  ctx.fillStyle = colour("faint");
  ctx.strokeStyle = colour("field");
  ctx.lineWidth = devicePixelRatio;
  for (const bin of bins) {
    const [left, top] = position(chart, bin.from, (bin.rounds / most) * BARS);
    const [right, bottom] = position(chart, bin.to, 0);
    ctx.fillRect(left + 2, top, right - left - 4, bottom - top);
    ctx.strokeRect(left + 2.5, top + 0.5, right - left - 5, bottom - top);
  }
  ctx.restore();
}

function diagonal(chart) {
  const { ctx } = chart;
  ctx.save();
  ctx.strokeStyle = colour("baseline");
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 5 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(...position(chart, 0, 0));
  ctx.lineTo(...position(chart, 1, 1));
  ctx.stroke();
  ctx.restore();
}

function intervals(chart, bins) {
  const { ctx } = chart;
  const cap = 4 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour("series-1");
  ctx.lineWidth = 1.25 * devicePixelRatio;
  ctx.beginPath();
  for (const bin of bins) {
    if (bin.low === null || bin.high === null) {
      continue;
    }
    const [x, low] = position(chart, bin.predicted, bin.low);
    const [, high] = position(chart, bin.predicted, bin.high);
    ctx.moveTo(x, low);
    ctx.lineTo(x, high);
    for (const y of [low, high]) {
      ctx.moveTo(x - cap, y);
      ctx.lineTo(x + cap, y);
    }
  }
  ctx.stroke();
  ctx.restore();
}
