// The same figures for parts of the rounds: a map, a server or a size that stands out.

import { h } from "../../dom.js";
import { count, fixed, NOTHING, percent, signed } from "../../format.js";
import { address } from "../../router.js";
import { table } from "../../table.js";

export function breakdowns({ by_map: maps, by_server: servers, by_map_and_server: both, by_team_size: sizes, pool }) {
  const server = (row) => h("a", { href: address("rounds", [], { pool, server: row.server ?? row.name }) }, row.server ?? row.name);
  const map = (row) => h("a", { href: address("rounds", [], { pool, server: row.server, map: row.map ?? row.name }) }, row.map ?? row.name);
  return [
    breakdown("By map", [["Map", map]], maps, "A map whose bias is far from 0 favours one side, whoever plays there."),
    breakdown("By server", [["Server", server]], servers, "A server that scores worse than its coin flip has teams that are not what the ratings say."),
    both.length > 0 && breakdown("By map and server", [["Map", map], ["Server", server]], both, "Of the latest rounds, 10,000 at most: where one map departs on one server alone, look at how that server plays or reports it."),
    breakdown("By team size", [["Teams", (row) => row.name]], sizes, "Where one team has more players, the bias is that of the smaller: above 0, the missing player costs less than the ratings say.", "Bias"),
  ];
}

/** How far a group is off, in standard errors of even odds. */
function departure({ bias, rounds }) {
  return Math.abs(bias ?? 0) * 2 * Math.sqrt(rounds);
}

function breakdown(title, names, rows, explanation, bias = "Bias of team A") {
  const sorted = [...rows].sort((one, other) => departure(other) - departure(one));
  return h("section", { class: "panel wide", "data-key": title },
    h("h2", null, title),
    h("p", { class: "explanation" }, `${explanation} Those that depart most come first; two standard errors are nothing unusual among many.`),
    table({
      caption: title,
      rows: sorted,
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
        { name: "Drawn", number: true, cell: (row) => count(row.draws) },
      ],
    }));
}
