// What has just been played.

import { h } from "../../dom.js";
import { address } from "../../router.js";
import { roundsTable } from "../rounds_table.js";

export function lastRounds({ rounds }, pool) {
  return h("section", { class: "panel wide", "data-key": "last rounds" },
    h("h2", null, "Last rounds"),
    h("p", { class: "explanation" }, "The predicted odds, what came of them, and who gained and lost most."),
    roundsTable(rounds, pool, "The last rounds"),
    h("p", null, h("a", { href: address("rounds", [], { pool: pool.pool }) }, "All rounds")));
}
