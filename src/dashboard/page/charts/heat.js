// Heat map: one row per server and one square per hour. A stronger colour means more rounds.

import { moment, plural } from "../format.js";
import { axis, colour, FONT, frame, readout, timeAxis } from "./look.js";

/** Row height limits and the height that all rows share, in pixels. */
const ROW = 20;
const HIGHEST_ROW = 36;
const ALL_ROWS = 190;
/** Height of the time axis, in pixels. */
const FOOT = 30;
/** Maximum width of a row's name, in pixels and as a share of the chart's width. */
const NAME = 190;
const NAME_SHARE = 0.34;

/**
 * Draws a heat map of `plot.rows`, each `{name, values}`. `plot.from` and `plot.to` limit each hour, in Unix seconds.
 */
export function drawHeat(element, plot, width, view) {
  const { rows } = plot;
  const most = Math.max(1, ...rows.flatMap((row) => row.values));
  const room = Math.min(NAME, width * NAME_SHARE);
  const names = shortened(rows.map((row) => row.name), room - 12);
  const options = frame(width, view, {
    height: rows.length * Math.min(HIGHEST_ROW, Math.max(ROW, ALL_ROWS / rows.length)) + FOOT + 8,
    padding: [8, 24, 0, 0],
    scales: { x: { time: true, range: () => view.range() }, y: { range: () => [0, rows.length], dir: -1 } },
    axes: [timeAxis(), axis({
      size: room,
      splits: () => rows.map((row, place) => place + 0.5),
      values: () => names,
      grid: { show: false },
      ticks: { show: false },
    })],
    series: [{}, { scale: "y", stroke: null, points: { show: false }, paths: () => null }],
    cursor: { points: { show: false } },
    hooks: { draw: [(chart) => squares(chart, plot, most)] },
    plugins: [readout((at, chart) => {
      const place = Math.min(rows.length - 1, Math.max(0, Math.floor(chart.posToVal(chart.cursor.top, "y"))));
      return [rows[place].name, moment(plot.from[at] * 1000), plural(rows[place].values[at], "round")];
    })],
  });
  return new uPlot(options, [view.x, view.x.map(() => 0)], element);
}

function squares(chart, plot, most) {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const space = devicePixelRatio;
  plot.rows.forEach((row, line) => {
    const top = chart.valToPos(line, "y", true) + space;
    const height = chart.valToPos(line + 1, "y", true) - space - top;
    row.values.forEach((value, place) => {
      const left = chart.valToPos(plot.from[place], "x", true) + space / 2;
      const wide = chart.valToPos(plot.to[place], "x", true) - space / 2 - left;
      ctx.fillStyle = value === 0 ? colour("faint") : colour("series-1", (0.25 + 0.75 * (value / most)).toFixed(2));
      ctx.fillRect(left, top, wide, height);
    });
  });
  ctx.restore();
}

/** Shortens each name to a width of at most `room` pixels. */
function shortened(names, room) {
  const ctx = new OffscreenCanvas(1, 1).getContext("2d");
  ctx.font = FONT;
  return names.map((name) => {
    let text = name;
    while (text.length > 1 && ctx.measureText(text).width > room) {
      text = `${text.slice(0, text.endsWith("…") ? -2 : -1)}…`;
    }
    return text;
  });
}
