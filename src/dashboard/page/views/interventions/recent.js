// Table of interventions.

import { h } from "../../dom.js";
import { NOTHING, outcome, percent, plural, sentence, when } from "../../format.js";
import { address } from "../../router.js";
import { table } from "../../table.js";
import { playerLink, roundLink } from "../links.js";

export function interventionsTable(found, pool, here) {
  return table({
    caption: "Latest interventions",
    empty: here.server ? "No interventions on this server." : "No interventions yet.",
    rows: found,
    id: (one) => `${one.first_asked_at} ${one.server} ${one.policy} ${one.moves.map((move) => move.id)}`,
    columns: [
      { name: "When", cell: (one) => [when(one.first_asked_at), one.asked > 1 && h("div", { class: "muted" }, `asked ${one.asked} times`)] },
      { name: "Server", cell: (one) => h("a", { href: address("interventions", [], { ...here, server: one.server }) }, one.server) },
      { name: "Policy", cell: (one) => one.policy },
      { name: "Reason", important: true, cell: (one) => h("ul", { class: "reason" }, one.reasons.map((reason) => h("li", null, sentence(reason.detail)))) },
      { name: "Answer", important: true, cell: (one) => answered(one, pool) },
      { name: "Odds of team A", number: true, cell: (one) => `${percent(one.before.win_probability_a)} → ${percent(one.after.win_probability_a)}` },
      { name: "Round", cell: ({ server, round }) => (round ? roundLink({ server, round_id: round.round_id }, pool.pool) : NOTHING) },
      { name: "Outcome", cell: ({ round }) => (round ? ended(round) : NOTHING) },
    ],
  });
}

function answered({ result, moves, before, after }, pool) {
  if (result === "filled") {
    return `Bots ${before.bots_a} v ${before.bots_b} → ${after.bots_a} v ${after.bots_b}`;
  }
  if (result === "nothing_helps") {
    return `No better teams found for ${before.size_a} v ${before.size_b}`;
  }
  // Lists each swap once, from team a.
  const listed = moves.filter((move) => move.with === null || move.from === "a");
  return h("ul", null, listed.map((move) => h("li", null, playerLink(move.id, pool.pool, move.name), move.with === null
    ? ` to team ${move.to.toUpperCase()}`
    : [" swaps with ", playerLink(move.with, pool.pool, move.with_name)])));
}

function ended(round) {
  return [outcome(round.winner), h("div", { class: "muted" }, `${minutes(round.seconds_after)} later, odds of team A ${percent(round.win_probability.a)}`)];
}

function minutes(seconds) {
  return seconds < 60 ? plural(seconds, "second") : plural(Math.round(seconds / 60), "minute");
}
