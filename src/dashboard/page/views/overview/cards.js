// The figures that matter most, each with what it means.

import { h } from "../../dom.js";
import { count, fixed, percent, signed } from "../../format.js";
import { card } from "../panels.js";

/** Why no Θ is fitted. */
const NO_FIT = { too_few_rounds: "fitted from 500 rounds on", too_even: "even teams show none", honest: "none fits better" };

export function cards(figures) {
  const { players, theta_fitted: fitted } = figures;
  const coin = figures.coin_flip.brier.window;
  return h("div", { class: "cards six" },
    card("Rounds", count(figures.rounds), [`${count(figures.draws)} drawn`],
      `The window is the last ${count(Math.min(figures.rounds, figures.window))} of them.`),
    card("Players", count(players.total), [`${count(players.visible)} visible`, `${count(players.hidden)} hidden`, `${count(players.stale)} stale`],
      "Hidden are those with too few rounds to show a rating, stale those who have not played for long."),
    card("Brier score, window", fixed(figures.brier.window), [`coin flip ${fixed(coin)}`, `skill ${signedPercent(figures.skill.brier.window)}`],
      `Always saying 50 % scores ${fixed(coin ?? 0.25)}, so that is no achievement; lower is better, and skill is how much better than the best constant guess.`),
    card("Log loss, window", fixed(figures.log_loss.window), [`coin flip ${fixed(figures.coin_flip.log_loss)}`, `skill ${signedPercent(figures.skill.log_loss.window)}`],
      "Like the Brier score, but harsh on predictions that were sure and wrong; lower is better."),
    card("Favourite won, window", percent(figures.accuracy.window), [`all rounds ${percent(figures.accuracy.all)}`],
      "How often the likelier team won. Well balanced teams bring this close to 50 %, so low is not bad."),
    card("Θ, the logistic scale", count(figures.theta), fitted
      ? [`fitted ${count(fitted.theta)}`, fitted.high === null ? `95 %: above ${count(fitted.low)}` : `95 %: ${count(fitted.low)} to ${count(fitted.high)}`]
      : [NO_FIT[figures.verdict.word] ?? "no Θ fits"],
    fitted
      ? `The Θ that would have predicted best: Brier ${fixed(fitted.brier)}. Well above the one that is set, predictions are too sure; well below, too timid.`
      : "How many points of difference between the teams make one team the clear favourite."));
}

function signedPercent(share) {
  return share === null ? "–" : `${signed(share * 100, 1)} %`;
}
