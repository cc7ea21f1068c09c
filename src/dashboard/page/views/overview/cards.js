// The key figures of a pool, each with an explanation.

import { h } from "../../dom.js";
import { count, fixed, NOTHING, percent, plural, signed } from "../../format.js";
import { card } from "../panels.js";

/** Texts for the reasons why no theta was fitted. */
const NO_FIT = { too_few_rounds: "best fit of theta needs 500 rounds", too_even: "teams were too even to find the best fit of theta", honest: "no better value found" };

export function cards(figures) {
  const { players, theta_fitted: fitted, community: found } = figures;
  const coin = figures.coin_flip.brier.window;
  const judged = Object.values(figures.one_sided).map(({ scrambled, others }) => [scrambled.rounds + others.rounds, scrambled.one_sided + others.one_sided]);
  const [all, uneven] = judged.find(([rounds]) => rounds > 0) ?? [0];
  return [
    h("div", { class: "cards six" },
      card("Rounds", count(figures.rounds), [plural(figures.draws, "draw")],
        `On this page, "recent" means the last ${plural(Math.min(figures.rounds, figures.window), "round")}.`),
      card("Players this week", count(found.players_this_week), [`${count(found.players_last_week)} the week before`, `${count(players.total)} in all`, `${count(players.visible)} visible`, `${count(players.hidden)} hidden`, `${count(players.stale)} stale`],
        "Different players in the last 7 days. Hidden players have too few rounds to show a rating. Stale players have not played for a long time."),
      card("Uneven matches (recent)", percent(found.over_60), [`favourite above 70 %: ${percent(found.over_70)}`],
        "Share of rounds in which the favourite's predicted win probability was above 60 %. Lower is better."),
      card("One-sided rounds", percent(all ? uneven / all : null), [`of ${plural(all, "round")}`],
        all ? "Share of rounds that one team clearly dominated, judged by the scoreboard or by how short the round was. The table below compares scrambled teams with others." : "Unknown: no recent round has a scoreboard, and no map has enough rounds of known length."),
      card("Favourite won (recent)", percent(figures.accuracy.window), [`all rounds ${percent(figures.accuracy.all)}`],
        "How often the predicted winner won. With well balanced teams this is close to 50 %, so a low number is not bad."),
      card("Waiting for a turn", found.turns > 0 ? `${fixed(found.waited_rounds, 1)} rounds` : NOTHING, [plural(found.turns, "turn")],
        found.turns > 0 ? "How many rounds a waiting player sat out, on average, before the next turn to play. Players who left before their turn are not counted." : "RBS has seen no waiting players. RBS sees them only when a scramble is requested for more players than can play at once.")),
    h("details", { "data-key": "scores" },
      h("summary", null, "Prediction figures"),
      h("div", { class: "cards" },
        card("Brier score (recent)", fixed(figures.brier.window), [`coin flip ${fixed(coin)}`, `skill ${signedPercent(figures.skill.brier.window)}`],
          `How far the predictions were off: the average of their squared errors. Lower is better; always predicting 50 % scores ${fixed(coin ?? 0.25)}. Skill compares this with predicting the same odds for every round, the best single odds for these rounds: 0 % is no better, 100 % is perfect.`),
        card("Log loss (recent)", fixed(figures.log_loss.window), [`coin flip ${fixed(figures.coin_flip.log_loss)}`, `skill ${signedPercent(figures.skill.log_loss.window)}`],
          "Like the Brier score, but punishes confident wrong predictions more. Lower is better."),
        card("Theta (Θ)", count(figures.theta), fitted
          ? [`best fit ${count(fitted.theta)}`, fitted.high === null ? `95 % range: from ${count(fitted.low)} upwards` : `95 % range: ${count(fitted.low)} to ${count(fitted.high)}`]
          : [NO_FIT[figures.verdict.word] ?? "no value fits"],
        fitted
          ? `The lead in rating points that gives a team a 73 % chance to win. With the theta that fits the results best, the Brier score would have been ${fixed(fitted.brier)}. If this best fit is well above the current theta, predictions are too bold; if well below, too timid.`
          : "The lead in rating points that gives a team a 73 % chance to win. A larger theta makes predictions more cautious."))),
  ];
}

function signedPercent(share) {
  return share === null ? "–" : `${signed(share * 100, 1)} %`;
}
