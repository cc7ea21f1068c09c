// Which server was busy when: a row for each, a square for each hour, the darker the more rounds.

import { s } from "../dom.js";

const ROW = 18;
const CELL = 14;

/** `servers`: `{server, rounds}` with as many numbers as there are hours. */
export function hoursByServer(servers, hours, summary) {
  const most = Math.max(1, ...servers.flatMap((row) => row.rounds));
  const width = hours * CELL;
  return s("svg", { class: "hours", role: "img", "aria-label": summary, viewBox: `0 0 ${width} ${servers.length * ROW}`, preserveAspectRatio: "none", height: servers.length * ROW },
    servers.map((row, line) => s("g", { transform: `translate(0 ${line * ROW})` },
      row.rounds.map((rounds, hour) => s("rect", {
        x: hour * CELL + 1,
        y: 2,
        width: CELL - 2,
        height: ROW - 4,
        rx: 2,
        class: rounds === 0 ? "none" : "some",
        "fill-opacity": rounds === 0 ? 1 : (0.25 + 0.75 * (rounds / most)).toFixed(2),
      })))));
}
