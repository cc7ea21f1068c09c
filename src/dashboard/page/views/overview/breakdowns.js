// Prediction quality by map, server and team size.

import { h } from "../../dom.js";
import { count, fixed, NOTHING, percent, signed } from "../../format.js";
import { address } from "../../router.js";
import { table } from "../../table.js";

export function breakdowns({ by_map: maps, by_server: servers, by_map_and_server: both, by_team_size: sizes, pool }) {
  const server = (row) => h("a", { href: address("rounds", [], { pool, server: row.server ?? row.name }) }, row.server ?? row.name);
  const map = (row) => h("a", { href: address("rounds", [], { pool, server: row.server, map: row.map ?? row.name }) }, row.map ?? row.name);
  return [
    breakdown("By map", [["Map", map]], maps, "A bias far from 0 means that the map favours one side, whoever plays."),
    breakdown("By server", [["Server", server]], servers, "The Brier score says how far the predictions were off; a coin flip has 0.25. On a server with a higher score, the ratings do not predict who wins."),
    both.length > 0 && breakdown("By map and server", [["Map", map], ["Server", server]], both, "Covers the latest 10,000 rounds at most. If a map stands out on one server only, check how that server plays or reports the map."),
    breakdown("By team size", [["Teams", (row) => row.name]], sizes, "How much more often than predicted the smaller team wins (or team A, if both have the same size). If the bias of the smaller team is above 0, a missing player matters less than the ratings predict.", "Bias"),
  ];
}

/** Returns the absolute bias of a group, in standard errors of an even match. */
function departure({ bias, rounds }) {
  return Math.abs(bias ?? 0) * 2 * Math.sqrt(rounds);
}

function breakdown(title, names, rows, explanation, bias = "Bias of team A") {
  const sorted = [...rows].sort((one, other) => departure(other) - departure(one));
  return h("section", { class: "panel wide", "data-key": title },
    h("h2", null, title),
    h("p", { class: "explanation" }, `${explanation} Bias is observed minus predicted wins. The standard error is the deviation that luck alone typically causes: in a long list, a bias of two standard errors is nothing unusual. Largest deviations first.`),
    table({
      caption: title,
      rows: sorted,
      few: 10,
      id: (row) => row.name ?? `${row.map} ${row.server}`,
      columns: [
        ...names.map(([name, cell]) => ({ name, cell })),
        { name: "Rounds", number: true, important: true, cell: (row) => count(row.rounds) },
        { name: `${bias}, points`, number: true, important: true, cell: (row) => signed(row.bias === null ? null : row.bias * 100, 1) },
        { name: "Standard error", number: true, cell: (row) => (row.standard_error === null ? NOTHING : fixed(row.standard_error * 100, 1)) },
        { name: "Favourite won", number: true, cell: (row) => percent(row.accuracy) },
        { name: "Brier", number: true, cell: (row) => fixed(row.brier) },
        { name: "Coin flip", number: true, cell: (row) => fixed(row.coin_flip_brier) },
        { name: "Log loss", number: true, cell: (row) => fixed(row.log_loss) },
        { name: "Draws", number: true, cell: (row) => count(row.draws) },
      ],
    }));
}
