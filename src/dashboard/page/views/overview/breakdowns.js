// The same figures for parts of the rounds: a map, a server or a size that stands out.

import { h } from "../../dom.js";
import { count, fixed, percent, signed } from "../../format.js";
import { table } from "../../table.js";

export function breakdowns({ by_map: maps, by_server: servers, by_team_size: sizes }) {
  return [
    breakdown("By map", "Map", maps, "A map whose bias is far from 0 favours one side, whoever plays there."),
    breakdown("By server", "Server", servers, "A server that scores worse than its coin flip has teams that are not what the ratings say."),
    breakdown("By team size", "Teams", sizes, "Where one team has more players, the bias is that of the smaller: above 0, the missing player costs less than the ratings say.", "Bias"),
  ];
}

function breakdown(title, name, rows, explanation, bias = "Bias of team A") {
  return h("section", { class: "panel wide", "data-key": title },
    h("h2", null, title),
    h("p", { class: "explanation" }, explanation),
    table({
      caption: title,
      rows,
      id: (row) => row.name,
      columns: [
        { name, cell: (row) => row.name },
        { name: "Rounds", number: true, cell: (row) => count(row.rounds) },
        { name: "Drawn", number: true, cell: (row) => count(row.draws) },
        { name: "Brier", number: true, cell: (row) => fixed(row.brier) },
        { name: "Coin flip", number: true, cell: (row) => fixed(row.coin_flip_brier) },
        { name: "Log loss", number: true, cell: (row) => fixed(row.log_loss) },
        { name: "Favourite won", number: true, cell: (row) => percent(row.accuracy) },
        { name: bias, number: true, cell: (row) => (row.bias === null ? "–" : `${signed(row.bias * 100, 1)} %`) },
      ],
    }));
}
