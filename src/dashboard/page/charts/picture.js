// Exports a chart as an image with its title and legend.

import { colour, FONT } from "./look.js";

const MARGIN = 14;
const TITLE = "600 15px Inter, system-ui, sans-serif";
const LINE = 22;

/** Returns the chart in `element` as a PNG blob. */
export function picture(element, name, legend) {
  const drawn = element.chart.ctx.canvas;
  const scale = devicePixelRatio;
  const head = (legend.length > 0 ? 2 : 1) * LINE + MARGIN;
  const canvas = document.createElement("canvas");
  canvas.width = drawn.width + 2 * MARGIN * scale;
  canvas.height = drawn.height + (head + 2 * MARGIN) * scale;
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = colour("surface");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(drawn, MARGIN * scale, (head + MARGIN) * scale);
  ctx.scale(scale, scale);
  ctx.textBaseline = "top";
  ctx.font = TITLE;
  ctx.fillStyle = colour("text");
  ctx.fillText(name, MARGIN, MARGIN);
  ctx.font = FONT;
  let left = MARGIN;
  for (const [text, series] of legend) {
    ctx.fillStyle = colour(series);
    ctx.fillRect(left, MARGIN + LINE + 6, 16, 4);
    ctx.fillStyle = colour("muted");
    ctx.fillText(text, left + 22, MARGIN + LINE + 1);
    left += 22 + ctx.measureText(text).width + 18;
  }
  return new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
}
