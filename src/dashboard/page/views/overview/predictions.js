// Whether the predictions are honest: over time, bin by bin, and for favourites.

import { biasRows } from "../../charts/bias.js";
import { chart } from "../../charts/figure.js";
import { timeline } from "../../charts/look.js";
import { h } from "../../dom.js";
import { count, fixed, percent, signed, when } from "../../format.js";

/** The log loss of whoever always says 50 %. */
const COIN_FLIP_LOG_LOSS = Math.log(2);

export function overTime(history, marks) {
  return [brier(history, marks), logLoss(history, marks)];
}

export function predictions(figures) {
  return [calibration(figures), bias(figures)];
}

function x(points) {
  return timeline(points.map((point) => point.ended_at));
}

function notes(points) {
  return points.map((point) => `after ${count(point.rounds)} rounds`);
}

function brier({ points, window }, marks) {
  const last = points.at(-1);
  return chart({
    name: "Brier score over time",
    explanation: `Mean over the ${count(window)} rounds before each moment. Below the dashed line the predictions know more than a coin.`,
    legend: [["Brier score", "series-1"], ["Coin flip", "baseline", true]],
    summary: last ? `Brier score over time, a line; at the end ${fixed(last.brier)}, where a coin flip scores ${fixed(last.coin_flip_brier)}.` : "",
    plot: {
      kind: "lines", time: true, x: x(points), notes: notes(points), marks, range: [0.2, 0.26],
      series: [
        { name: "Coin flip", values: points.map((point) => point.coin_flip_brier), colour: "baseline", dash: true, digits: 4 },
        { name: "Brier score", values: points.map((point) => point.brier), colour: "series-1", digits: 4 },
      ],
    },
    columns: timeColumns(["Brier score", "brier"], ["Coin flip", "coin_flip_brier"]),
    rows: points,
  });
}

function logLoss({ points, window }, marks) {
  const last = points.at(-1);
  const coin = COIN_FLIP_LOG_LOSS;
  return chart({
    name: "Log loss over time",
    explanation: `Mean over the ${count(window)} rounds before each moment. It rises fast when sure predictions fail.`,
    legend: [["Log loss", "series-2"], ["Coin flip", "baseline", true]],
    summary: last ? `Log loss over time, a line; at the end ${fixed(last.log_loss)}, where a coin flip scores ${fixed(coin)}.` : "",
    plot: {
      kind: "lines", time: true, x: x(points), notes: notes(points), marks, range: [0.6, 0.72],
      series: [
        { name: "Coin flip", values: points.map(() => coin), colour: "baseline", dash: true, digits: 4 },
        { name: "Log loss", values: points.map((point) => point.log_loss), colour: "series-2", digits: 4 },
      ],
    },
    columns: timeColumns(["Log loss", "log_loss"]),
    rows: points,
  });
}

function timeColumns(...figures) {
  return [
    { name: "Until", cell: (point) => when(point.ended_at) },
    { name: "Rounds", number: true, cell: (point) => count(point.rounds) },
    ...figures.map(([name, key]) => ({ name, number: true, cell: (point) => fixed(point[key]) })),
  ];
}

function calibration({ calibration: bins, rounds }) {
  return chart({
    name: "Calibration",
    explanation: "When the service says 70 %, does that team win 7 of 10? Honest predictions lie on the dashed line; whiskers are what chance allows (95 %), grey bars how many rounds each bin has.",
    legend: [["Observed", "series-1"], ["Honest", "baseline", true], ["Rounds", "faint"]],
    summary: `Calibration: for each of ${bins.length} bins of predictions the share that team A really won, with its 95 % interval, next to the diagonal of honest predictions.`,
    plot: { kind: "calibration", bins },
    columns: [
      { name: "Predicted", cell: (bin) => `${percent(bin.from, 0)} to ${percent(bin.to, 0)}` },
      { name: "Mean prediction", number: true, cell: (bin) => percent(bin.predicted) },
      { name: "Team A won", number: true, cell: (bin) => percent(bin.observed) },
      { name: "At least", number: true, cell: (bin) => percent(bin.low) },
      { name: "At most", number: true, cell: (bin) => percent(bin.high) },
      { name: "Rounds", number: true, cell: (bin) => count(bin.rounds) },
    ],
    rows: rounds === 0 ? [] : bins,
  });
}

function bias({ favourites, side_bias: side }) {
  const of = (name, which) => ({
    name, rounds: favourites.rounds[which], predicted: favourites.predicted[which], observed: favourites.observed[which],
    value: favourites.residual[which], error: favourites.standard_error[which],
  });
  const all = [
    of("Favourites, window", "window"),
    of("Favourites, all", "all"),
    { name: "Team A, all", rounds: side.rounds, predicted: side.predicted, observed: side.observed, value: side.bias, error: side.standard_error },
  ];
  const rows = all.filter((row) => row.value !== null && row.error !== null);
  for (const row of rows) {
    row.summary = `${row.name}: observed minus predicted ${signed(row.value * 100, 1)} %, plus or minus ${fixed(row.error * 200, 1)} %`;
  }
  return chart({
    name: "Residual of favourites, and of team A",
    explanation: `Observed minus predicted wins. Favourites (at least ${percent(0.5 + favourites.threshold, 0)} predicted) left of zero win less than was said, so predictions are too sure; team A away from zero has the better side. The bar is two standard errors: where it crosses zero, it may be chance.`,
    drawing: biasRows(rows),
    columns: [
      { name: "Who", cell: (row) => row.name },
      { name: "Rounds", number: true, cell: (row) => count(row.rounds) },
      { name: "Predicted", number: true, cell: (row) => percent(row.predicted) },
      { name: "Observed", number: true, cell: (row) => percent(row.observed) },
      { name: "Residual", number: true, cell: (row) => `${signed(row.value * 100, 2)} %` },
      { name: "Standard error", number: true, cell: (row) => `${fixed(row.error * 100, 2)} %` },
    ],
    rows,
  });
}
