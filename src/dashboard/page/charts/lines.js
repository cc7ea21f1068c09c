// Lines over time, or over whatever else grows to the right.

import { count, fixed, moment, NOTHING } from "../format.js";
import { axis, colour, frame, readout, timeAxis, valueAxis } from "./look.js";

/**
 * `plot`: `x` (seconds where `time`, else positions that `labels` name), `series` of `{name, values,
 * colour, dash, scale, digits}`, `range` the least that the scale "y" shows, `notes` a text for each
 * point or nothing, `steps` where a value holds until the next.
 */
export function drawLines(element, plot, width) {
  const scales = [...new Set(plot.series.map((series) => series.scale ?? "y"))];
  const digits = (scale) => plot.series.find((series) => (series.scale ?? "y") === scale).digits;
  const write = (series, value) => (value === null ? NOTHING : series.digits === 0 ? count(value) : fixed(value, series.digits));
  const options = frame(width, {
    scales: {
      x: { time: plot.time, range: (chart, low, high) => (low === high ? [low - 1, high + 1] : [low, high]) },
      ...Object.fromEntries(scales.map((scale) => [scale, { range: (chart, low, high) => around(low, high, scale === "y" ? plot.range : [0, 1]) }])),
    },
    axes: [
      plot.time ? timeAxis() : axis({
        space: 46,
        values: (chart, splits) => splits.map((at) => plot.labels[plot.x.indexOf(at)] ?? ""),
        label: plot.xLabel,
      }),
      ...scales.map((scale, place) => valueAxis((value) => (digits(scale) === 0 ? count(value) : fixed(value, Math.min(digits(scale), 3))), {
        scale,
        side: place === 0 ? 3 : 1,
        grid: { show: place === 0, stroke: colour("grid"), width: 1 },
      })),
    ],
    padding: [10, scales.length > 1 ? 0 : 24, 0, 0],
    series: [{}, ...plot.series.map((series) => ({
      label: series.name,
      scale: series.scale ?? "y",
      stroke: colour(series.colour),
      width: series.dash ? 1.5 : 2,
      dash: series.dash ? [6, 5] : undefined,
      points: { show: plot.x.length === 1 || (!series.dash && plot.x.length <= 24), size: 5, fill: colour(series.colour) },
      paths: plot.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
      spanGaps: true,
    }))],
    plugins: [readout((at) => [
      plot.time ? moment(plot.x[at] * 1000) : `${plot.labels[at]} ${plot.xUnit}`,
      ...(plot.notes?.[at] ? [plot.notes[at]] : []),
      ...plot.series.map((series) => `${series.name}: ${write(series, series.values[at])}`),
    ])],
  });
  return new uPlot(options, [plot.x, ...plot.series.map((series) => series.values)], element);
}

/** What a scale shows: all values and a little around them, and no less than `least`. */
function around(low, high, least) {
  if (low === null || high === null) {
    return least ?? [0, 1];
  }
  const bottom = Math.min(low, least?.[0] ?? low);
  const top = Math.max(high, least?.[1] ?? high);
  const space = (top - bottom || Math.abs(top) || 1) * 0.06;
  return [bottom === 0 ? 0 : bottom - space, top + space];
}
