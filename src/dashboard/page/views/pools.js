// All pools, those that need attention first.

import { h } from "../dom.js";
import { count, plural } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { wordOf } from "./overview/verdict.js";

/** Returns `true` if an admin should look at the pool: a server needs attention, or the predictions are off. */
export function isIll({ summary }) {
  return summary?.servers_in_need > 0 || ["too_bold", "too_timid"].includes(summary?.verdict);
}

function verdictOf({ rounds, summary }) {
  return rounds === 0 ? "No rounds yet." : summary ? wordOf(summary) : "Not known yet: RBS is reading the rounds.";
}

export function pools({ pools: all }) {
  const worst = (one, other) => isIll(other) - isIll(one) || other.rounds - one.rounds;
  const link = (view, pool, text) => h("a", { href: address(view, [], { pool }) }, text);
  const figure = (key) => ({ summary }) => count(summary?.[key]);
  return {
    title: "Pools",
    tree: h("div", { class: "view" },
      h("h1", null, "Pools"),
      table({
        caption: "Pools, those that need attention first",
        rows: [...all].sort(worst),
        id: ({ pool }) => pool,
        columns: [
          { name: "Pool", cell: (row) => [link("overview", row.pool, row.pool), isIll(row) && h("span", { class: "tag" }, "attention")] },
          { name: "State", important: true, wrap: true, cell: (row) => [verdictOf(row), row.summary?.servers_in_need > 0 && [" ", link("servers", row.pool, plural(row.summary.servers_in_need, "server needs attention", "servers need attention")), "."]] },
          { name: "Rounds, 24 hours", number: true, important: true, cell: figure("rounds_24_hours") },
          { name: "Rounds", number: true, cell: ({ rounds }) => count(rounds) },
          { name: "Players", number: true, cell: figure("players") },
        ],
      })),
  };
}
