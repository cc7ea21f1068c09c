// The scoreboard of a round, if the server reported it.

import { h } from "../../dom.js";
import { count, fixed, NOTHING, team } from "../../format.js";
import { table } from "../../table.js";
import { playerLink } from "../links.js";

/** Names of the scoreboard values that every pool has, in display order. The pool's own values follow them. */
const OF_EVERY_POOL = ["score", "kills", "deaths", "assists"];

/** The scoreboard panel, or `null` if no player has values. `entries(side)` returns the players of a team. */
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
      caption: "Scoreboard",
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
