// Rounds, one a line.

import { h } from "../dom.js";
import { count, gain, NOTHING, outcome, percent, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { playerLink, roundLink } from "./links.js";

export function roundsTable(rounds, pool, caption, empty = "No rounds yet.") {
  const change = (found) => (found ? [gain(found.delta), " ", playerLink(found.id, pool.pool, found.name)] : NOTHING);
  return table({
    caption,
    empty,
    rows: rounds.map((round) => ({ ...round, rowClass: round.void && "void" })),
    id: (round) => `${round.server} ${round.round_id}`,
    columns: [
      { name: "Ended", cell: (round) => when(round.ended_at) },
      { name: "Round", cell: (round) => [roundLink(round, pool.pool), round.void && h("span", { class: "tag" }, "void")] },
      { name: "Server", cell: (round) => round.server },
      { name: "Map", cell: (round) => round.map ?? NOTHING },
      { name: "Players", number: true, cell: (round) => count(round.players) },
      { name: "Odds of team A", number: true, cell: (round) => percent(round.win_probability.a) },
      { name: "Outcome", cell: (round) => [outcome(round.winner), round.correction && h("span", { class: "tag" }, "corrected")] },
      { name: "Largest gain", cell: (round) => change(round.largest_gain) },
      { name: "Largest loss", cell: (round) => change(round.largest_loss) },
    ],
  });
}

/** What has just been played. */
export function lastRounds({ rounds }, pool) {
  return h("section", { class: "panel wide", "data-key": "last rounds" },
    h("h2", null, "Last rounds"),
    h("p", { class: "explanation" }, "The predicted odds, what came of them, and who gained and lost most."),
    roundsTable(rounds, pool, "The last rounds"),
    h("p", null, h("a", { href: address("rounds", [], { pool: pool.pool }) }, "All rounds")));
}
