// Lines over time, or over whatever else grows to the right.

import { count, fixed, moment, NOTHING } from "../format.js";
import { axis, colour, drawMarks, frame, readout, timeAxis, valueAxis } from "./look.js";
import { dashes } from "./style.js";

/** A pause is a gap where it is this many times as long as most steps, and this share of what is shown. */
const PAUSE_STEPS = 12;
const PAUSE_SHARE = 0.04;

/** How many points are drawn as dots at most. */
const MOST_DOTS = 24;

/**
 * `plot`: `x` (seconds where `time`, else positions that `labels` name), `series` of `{name, values,
 * colour, dash, scale, digits}`, `bands` of `{name, low, high, colour, digits}` behind them, `range` the least that the
 * scale "y" shows, `notes` a text for each point or nothing, `steps` where a value holds until the
 * next, `marks` of `{x, text}` what happened when. `rounds`, which go with `x`, is what may be to the right in place of
 * the time.
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
      // Between two gaps there is no line to show a point.
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

/** The places of points after which nothing was played for long, going by what is shown. */
function pausesOf(x, { min, max }) {
  const steps = x.slice(1).map((at, place) => at - x[place]);
  const usual = [...steps].sort((one, other) => one - other)[Math.floor(steps.length / 2)];
  const least = Math.max(PAUSE_STEPS * usual, PAUSE_SHARE * (max - min));
  return steps.flatMap((step, place) => (step > least ? [place] : []));
}

/** From where to where there is no line, in pixels of the canvas. */
function clipped(chart, x, pauses) {
  return pauses.map((place) => [x[place], x[place + 1]].map((at) => Math.round(chart.valToPos(at, "x", true))));
}

/** The points that have a gap, or an end, at either side. */
function alone(x, pauses) {
  const after = new Set([-1, ...pauses, x.length - 1]);
  const found = x.flatMap((at, place) => (after.has(place - 1) && after.has(place) ? [place] : []));
  return found.length > 0 ? found : null;
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
