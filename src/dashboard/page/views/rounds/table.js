// Tables of rounds.

import { h } from "../../dom.js";
import { count, gain, NOTHING, percent, team, when } from "../../format.js";
import { address } from "../../router.js";
import { table } from "../../table.js";
import { playerLink, roundLink } from "../links.js";

export function roundsTable(rounds, pool, caption, empty = "No rounds yet.") {
  const change = (found) => (found ? [gain(found.delta), " ", playerLink(found.id, pool.pool, found.name)] : NOTHING);
  return table({
    caption,
    empty,
    rows: rounds.map((round) => ({ ...round, rowClass: round.void && "void" })),
    id: (round) => `${round.server} ${round.round_id}`,
    columns: [
      { name: "Ended", cell: (round) => [roundLink(round, pool.pool, when(round.ended_at)), round.void && h("span", { class: "tag" }, "void")] },
      { name: "Map", important: true, cell: (round) => round.map ?? NOTHING },
      { name: "Winner", important: true, cell: (round) => [round.winner === "draw" ? "Draw" : team(round.winner), round.correction && h("span", { class: "tag" }, "corrected")] },
      { name: "Odds, team A", important: true, number: true, cell: (round) => percent(round.win_probability.a) },
      { name: "Server", cell: (round) => round.server },
      { name: "Players", number: true, cell: (round) => count(round.players) },
      { name: "Largest gain", cell: (round) => change(round.largest_gain) },
      { name: "Largest loss", cell: (round) => change(round.largest_loss) },
      { name: "Round ID", cell: (round) => round.round_id },
    ],
  });
}

/** The panel with the latest rounds. */
export function lastRounds({ rounds }, pool) {
  return h("section", { class: "panel wide", "data-key": "last rounds" },
    h("h2", null, "Latest rounds"),
    h("p", { class: "explanation" }, "Predicted odds, outcome, and the largest rating changes."),
    roundsTable(rounds, pool, "Latest rounds"),
    h("p", null, h("a", { href: address("rounds", [], { pool: pool.pool }) }, "All rounds")));
}
