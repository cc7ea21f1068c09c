// Summary cards of the interventions, each with an explanation.

import { h } from "../../dom.js";
import { count, percent, plural } from "../../format.js";
import { card } from "../panels.js";

export function cards({ days, interventions, moved, filled, nothing_helps: helpless, moved_players: players, odds, rounds }) {
  const { known, close, close_before: closeBefore, ahead } = rounds;
  const since = days === 1 ? "today" : `in the last ${days} days`;
  return h("div", { class: "cards six" },
    card("Interventions", count(interventions), [`players moved in ${count(moved)}`, `bots changed in ${count(filled)}`, `no solution in ${count(helpless)}`],
      `How often a match was unbalanced ${since}. Repeated requests from a plugin before it moves anybody count once.`),
    card("Moves recommended", count(players), [`in ${plural(moved, "intervention")}`],
      "How often RBS asked a plugin to move a player. RBS does not see whether the plugin does it."),
    card("No solution", percent(helpless / interventions), [`${count(helpless)} of ${count(interventions)}`],
      "Interventions in which no allowed move could balance the teams. If this is frequent, too many players are immune, in parties, or were moved before."),
    card("Odds of the stronger team", `${stronger(odds.before)} → ${stronger(odds.after)}`, [`over ${plural(moved, "intervention")} with moves`],
      "Average win probability of the stronger team, before and after the moves. 50 % is an even match, so the second number should be lower."),
    card("Close rounds", known === 0 ? "–" : `${count(close)} of ${count(known)}`, [`without the moves ${count(closeBefore)}`],
      "Of the rounds in which players were moved: how many were close (win probability between 40 and 60 %) with the final teams, and how many would have been with the teams before the moves."),
    card("Stronger team won", percent(ahead.score), [`odds before ${percent(ahead.predicted_before)}`, `odds after ${percent(ahead.predicted_after)}`],
      `How often the team that was stronger before the moves still won, in ${plural(ahead.interventions, "intervention")}. A draw counts half. If the moves help, this is close to the odds after the moves and below the odds before.`));
}

/** Returns the mean odds of the stronger team. `fromEven` is the mean distance of the odds from 0.5. */
function stronger(fromEven) {
  return percent(fromEven === null ? null : 0.5 + fromEven);
}
