// Stacked bar charts.

import { count, moment } from "../format.js";
import { axis, colour, drawMarks, frame, readout, timeAxis, valueAxis } from "./look.js";
import { filling } from "./style.js";

/**
 * Draws stacked bars. `plot.from` and `plot.to` are the limits of each bar, in Unix seconds if `plot.time`.
 * `plot.parts` are the stacked series `{name, values, colour}`, bottom first. `plot.marks` are events `{x, text}`.
 */
export function drawBars(element, plot, width, view) {
  const upTo = [];
  for (const part of plot.parts) {
    const below = upTo.at(-1);
    upTo.push(part.values.map((value, place) => value + (below ? below[place] : 0)));
  }
  const paths = uPlot.paths.bars({ size: [0.86, 60], gap: 0 });
  const options = frame(width, view, {
    // Leaves space for a day label at the left edge.
    padding: [10, 24, 0, plot.time ? 10 : 0],
    scales: {
      x: { time: plot.time === true, range: () => view.range() },
      y: { range: (chart, low, high) => [0, Math.max(high, 1) * 1.06] },
    },
    axes: [
      plot.time ? timeAxis() : axis({ space: 56, values: (chart, splits) => splits.map(count), label: plot.xLabel }),
      valueAxis(count, { incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000] }),
    ],
    // Top of the stack first, because each series is drawn from zero and the lower ones must cover it.
    series: [{}, ...plot.parts.map((part, place) => ({
      label: part.name,
      fill: filling(plot, part),
      stroke: colour(part.colour),
      width: place === 0 ? 0 : 1,
      paths,
      points: { show: false },
    })).reverse()],
    cursor: { points: { show: false } },
    hooks: { draw: [(chart) => drawMarks(chart, view.marks)] },
    plugins: [readout((at) => [
      plot.time ? moment(plot.from[at] * 1000) : `${count(plot.from[at])} to ${count(plot.to[at])}`,
      ...plot.parts.map((part) => `${part.name}: ${count(part.values[at])}`),
    ], () => view.marks)],
  });
  return new uPlot(options, [view.x, ...upTo.reverse()], element);
}
