// What the interventions of some days come to, each figure with what it means.

import { h } from "../../dom.js";
import { count, percent, plural } from "../../format.js";
import { card } from "../panels.js";

export function cards({ days, interventions, moved, filled, nothing_helps: helpless, moved_players: players, odds, rounds }) {
  const { known, close, close_before: closeBefore, ahead } = rounds;
  const since = days === 1 ? "today" : `in the last ${days} days`;
  return h("div", { class: "cards six" },
    card("Interventions", count(interventions), [`players moved in ${count(moved)}`, `bots changed in ${count(filled)}`, `nothing helped in ${count(helpless)}`],
      `How often a match was found unbalanced ${since}; a plugin that asks again before it has moved anybody counts once.`),
    card("Players asked to move", count(players), [`in ${plural(moved, "intervention")}`],
      "Each time that a player was to change teams; the service does not see whether the plugin does it."),
    card("Nothing helped", percent(helpless / interventions), [`${count(helpless)} of ${count(interventions)}`],
      "Unbalanced teams that no allowed move balances; where that is frequent, too many players are immune, in parties or moved before."),
    card("Odds of the stronger team", `${stronger(odds.before)} → ${stronger(odds.after)}`, [`over ${plural(moved, "intervention")} with moves`],
      "On average as the teams stood, and once the moves are made; 50 % is an even match, so the second should be the smaller."),
    card("Close rounds", known === 0 ? "–" : `${count(close)} of ${count(known)}`, [`as the teams stood ${count(closeBefore)}`],
      "Rounds with moves that were counted in the end with odds from 40 to 60 %, and in how many the odds were as close before the moves."),
    card("The team ahead won", percent(ahead.score), [`odds before ${percent(ahead.predicted_before)}`, `odds after ${percent(ahead.predicted_after)}`],
      `How often the team won that was ahead before the moves, a draw counting half, in ${plural(ahead.interventions, "intervention")}; where moves help, it is near the odds after and below those before.`));
}

/** The mean odds of the stronger team, which are as far above 50 % as the odds are from even. */
function stronger(fromEven) {
  return percent(fromEven === null ? null : 0.5 + fromEven);
}
