// Tells series apart without colour: lines by their dashes, bars by their fill pattern.

import { s } from "../dom.js";
import { colour } from "./look.js";

/** Dash patterns of the first, second and third line, in pixels. */
const DASHES = [undefined, [9, 4], [2, 4]];
/** Dash pattern of a reference line. */
const BASELINE = [6, 5];
/** Size of a repeating fill pattern, in pixels. */
const TILE = 6;

/** Returns the index of a line or bar among those of a chart, or -1. Reference lines are not counted. */
function rank(plot, name) {
  return (plot?.series?.filter((series) => !series.dash) ?? plot?.parts ?? []).findIndex((one) => one.colour === name);
}

/** Returns the dash pattern of a series. */
export function dashes(plot, series) {
  return series.dash ? BASELINE : DASHES[rank(plot, series.colour)];
}

/** Returns the fill of a part's bars: solid, slanted lines or dots. */
export function filling(plot, part) {
  const place = rank(plot, part.colour);
  const full = colour(part.colour);
  if (place <= 0) {
    return full;
  }
  const size = TILE * devicePixelRatio;
  const tile = new OffscreenCanvas(size, size);
  const ctx = tile.getContext("2d");
  ctx.fillStyle = colour("surface");
  ctx.fillRect(0, 0, size, size);
  ctx.fillStyle = full;
  ctx.strokeStyle = full;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  if (place === 1) {
    for (const shift of [-size, 0, size]) {
      ctx.moveTo(shift - 1, size + 1);
      ctx.lineTo(shift + size + 1, -1);
    }
    ctx.stroke();
  } else {
    ctx.arc(size / 2, size / 2, size / 3.2, 0, 7);
    ctx.fill();
  }
  return ctx.createPattern(tile, "repeat");
}

/** Returns a small legend icon for a line or bar. */
export function swatch(plot, name, dashed) {
  const line = (dash) => s("line", { x1: 0, y1: 5, x2: 18, y2: 5, "stroke-width": 2, "stroke-dasharray": dash?.join(" ") });
  const place = rank(plot, name);
  const bar = s("rect", { x: 1, y: 1, width: 16, height: 8, rx: 1, class: place > 0 || name === "faint" ? "outlined" : "filled" });
  const shape = dashed || plot?.series
    ? line(dashed ? BASELINE : DASHES[place])
    : [bar, place === 1 && s("path", { d: "M3 9 9 1M8 9 14 1" }), place === 2 && [4, 9, 14].map((x) => s("circle", { class: "filled", cx: x, cy: 5, r: 1.6 }))];
  return s("svg", { class: `swatch ${name}`, viewBox: "0 0 18 10", width: 18, height: 10, "aria-hidden": "true" }, shape);
}
