// Line charts over time or over another increasing quantity.

import { count, fixed, moment, NOTHING } from "../format.js";
import { axis, colour, drawMarks, frame, readout, timeAxis, valueAxis } from "./look.js";
import { dashes } from "./style.js";

/** Minimum length of a pause that breaks a line: a multiple of the median step, and a share of the visible range. */
const PAUSE_STEPS = 12;
const PAUSE_SHARE = 0.04;

/** Maximum number of points of a line that is drawn with dots. */
const MOST_DOTS = 24;

/**
 * Draws a line chart of `plot`, which has these fields:
 * - `x`: Unix seconds if `time`, else positions that `labels` name
 * - `series`: the lines, `{name, values, colour, dash, scale, digits}`
 * - `bands`: shaded ranges behind the lines, `{name, low, high, colour, digits}`
 * - `range`: the smallest range that the scale "y" shows
 * - `notes`: an optional text for each point
 * - `steps`: `true` if each value holds until the next point
 * - `marks`: events, `{x, text}`
 * - `rounds`: the round number of each point, an alternative to `x`
 */
export function drawLines(element, plot, width, view) {
  const x = view.x;
  const time = plot.time && !view.byRound;
  const bands = plot.bands ?? [];
  const scales = [...new Set(plot.series.map((series) => series.scale ?? "y"))];
  const digits = (scale) => plot.series.find((series) => (series.scale ?? "y") === scale).digits;
  const write = (series, value) => (value === null || value === undefined ? NOTHING : series.digits === 0 ? count(value) : fixed(value, series.digits));
  const dots = (series) => x.length === 1 || (!series.dash && x.length <= MOST_DOTS);
  const pauses = (chart) => (plot.time && !view.byRound && !plot.steps ? pausesOf(x, chart.scales.x) : []);
  const marks = view.marks;
  const options = frame(width, view, {
    scales: {
      x: { time, range: () => view.range() },
      ...Object.fromEntries(scales.map((scale) => [scale, { range: (chart, low, high) => around(low, high, scale === "y" ? plot.range : [0, 1]) }])),
    },
    axes: [
      time ? timeAxis() : axis({
        space: 46,
        incrs: plot.labels ? undefined : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000],
        values: (chart, splits) => splits.map((at) => (plot.labels ? plot.labels[plot.x.indexOf(at)] ?? "" : count(at))),
        label: plot.time ? "rounds" : plot.xLabel,
      }),
      ...scales.map((scale, place) => valueAxis((value, needed) => (digits(scale) === 0 ? count(value) : fixed(value, Math.min(digits(scale), needed))), {
        scale,
        side: place === 0 ? 3 : 1,
        ...(digits(scale) === 0 ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] } : {}),
        grid: { show: place === 0, stroke: colour("grid"), width: 1 },
      })),
    ],
    padding: [10, scales.length > 1 ? 0 : 24, 0, 0],
    series: [{}, ...bands.flatMap((band) => [band.high, band.low].map(() => ({ scale: "y", width: 0, points: { show: false }, gaps: (chart) => clipped(chart, x, pauses(chart)) }))), ...plot.series.map((series) => ({
      label: series.name,
      scale: series.scale ?? "y",
      stroke: colour(series.colour),
      width: series.dash ? 1.5 : 2,
      dash: dashes(plot, series),
      // A point between two gaps has no line, so it always gets a dot.
      points: { show: dots(series), size: 5, fill: colour(series.colour), filter: (chart, place, show) => (show ? null : alone(x, pauses(chart))) },
      paths: plot.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
      gaps: (chart) => clipped(chart, x, pauses(chart)),
    }))],
    bands: bands.map((band, place) => ({ series: [1 + 2 * place, 2 + 2 * place], fill: colour(band.colour, 0.2) })),
    hooks: { draw: [(chart) => drawMarks(chart, marks)] },
    plugins: [readout((at) => [
      plot.time ? moment(plot.x[at] * 1000) : `${plot.labels[at]} ${plot.xUnit}`,
      ...(view.byRound ? [`round ${count(x[at])}`] : []),
      ...(plot.notes?.[at] ? [plot.notes[at]] : []),
      ...plot.series.map((series) => `${series.name}: ${write(series, series.values[at])}`),
      ...bands.map((band) => `${band.name}: ${write(band, band.low[at])} to ${write(band, band.high[at])}`),
    ], () => marks)],
  });
  const values = [...bands.flatMap((band) => [band.high, band.low]), ...plot.series.map((series) => series.values)];
  return new uPlot(options, [x, ...values], element);
}

/** Returns the indices of the points that a pause follows. The limit depends on the visible range. */
function pausesOf(x, { min, max }) {
  const steps = x.slice(1).map((at, place) => at - x[place]);
  const usual = [...steps].sort((one, other) => one - other)[Math.floor(steps.length / 2)];
  const least = Math.max(PAUSE_STEPS * usual, PAUSE_SHARE * (max - min));
  return steps.flatMap((step, place) => (step > least ? [place] : []));
}

/** Returns the start and end of each pause, in canvas pixels. */
function clipped(chart, x, pauses) {
  return pauses.map((place) => [x[place], x[place + 1]].map((at) => Math.round(chart.valToPos(at, "x", true))));
}

/** Returns the indices of the points that have a pause or the end of the data on both sides. */
function alone(x, pauses) {
  const after = new Set([-1, ...pauses, x.length - 1]);
  const found = x.flatMap((at, place) => (after.has(place - 1) && after.has(place) ? [place] : []));
  return found.length > 0 ? found : null;
}

/** Returns the visible range of a scale: all values plus a margin, and at least `least`. */
function around(low, high, least) {
  if (low === null || high === null) {
    return least ?? [0, 1];
  }
  const bottom = Math.min(low, least?.[0] ?? low);
  const top = Math.max(high, least?.[1] ?? high);
  const space = (top - bottom || Math.abs(top) || 1) * 0.06;
  return [bottom === 0 ? 0 : bottom - space, top + space];
}
