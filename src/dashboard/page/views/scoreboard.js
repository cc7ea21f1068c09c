// What a round's scoreboard said, where its server reported it.

import { h } from "../dom.js";
import { count, fixed, NOTHING, team } from "../format.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";

/** The numbers that every pool has, in the order that they are shown; behind them those that the pool declares. */
const OF_EVERY_POOL = ["score", "kills", "deaths", "assists"];

/** A panel with the numbers of every entry that has any; nothing where none has. `entries` are those of a side. */
export function scoreboard(entries, pool) {
  const rows = ["a", "b"].flatMap((side) => entries(side).filter((entry) => entry.stats).map((entry) => ({ ...entry, side })));
  if (rows.length === 0) {
    return null;
  }
  const given = new Set(rows.flatMap((row) => Object.keys(row.stats)));
  const declared = [...given].filter((name) => !OF_EVERY_POOL.includes(name)).sort();
  const names = [...OF_EVERY_POOL.filter((name) => given.has(name)), ...declared];
  rows.sort((one, other) => (other.stats.score ?? -Infinity) - (one.stats.score ?? -Infinity) || 0);
  return h("section", { class: "panel wide", "data-key": "scoreboard" },
    h("h2", null, "Scoreboard"),
    table({
      caption: "The scoreboard",
      rows,
      id: (row) => `${row.side} ${row.id}`,
      columns: [
        { name: "Player", cell: (row) => playerLink(row.id, pool, row.name) },
        { name: "Team", cell: (row) => team(row.side) },
        ...names.map((name) => ({ name: titled(name), number: true, cell: (row) => number(row.stats[name]) })),
      ],
    }));
}

function titled(name) {
  return OF_EVERY_POOL.includes(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

function number(value) {
  if (typeof value !== "number") {
    return NOTHING;
  }
  return Number.isInteger(value) ? count(value) : fixed(value, 2);
}
