// Charts of prediction quality: over time, by predicted odds, and for favourites.

import { biasRows } from "../../charts/bias.js";
import { chart } from "../../charts/figure.js";
import { timeline } from "../../charts/look.js";
import { h } from "../../dom.js";
import { count, fixed, percent, signed, when } from "../../format.js";

export function overTime({ points, window }, marks) {
  return [
    beyondCoin(points, window, marks, {
      name: "Brier score over time", figure: "Brier score", key: "brier", error: "brier_standard_error", coin: (point) => point.coin_flip_brier, colour: "series-1",
      explanation: "Below 0, the predictions are better than a coin flip. If the teams are even, no prediction can beat a coin flip.",
    }),
    beyondCoin(points, window, marks, {
      name: "Log loss over time", figure: "Log loss", key: "log_loss", error: "log_loss_standard_error", coin: () => Math.LN2, colour: "series-2",
      explanation: "Log loss rises faster than the Brier score when confident predictions fail.",
    }),
  ];
}

/** A chart of a score minus the score of a coin flip, with its 95 % range. */
function beyondCoin(points, window, marks, { name, figure, key, error, coin, colour, explanation }) {
  const rows = points.filter((point) => point[key] !== null).map((point) => {
    const value = point[key] - coin(point);
    const reach = 2 * (point[error] ?? 0);
    return { ...point, value, low: value - reach, high: value + reach };
  });
  const last = rows.at(-1);
  return chart({
    name,
    explanation: `The score minus the score of a coin flip, averaged over the ${count(window)} rounds before each point. ${explanation} The band is the 95 % confidence range.`,
    legend: [[figure, colour], ["Coin flip", "baseline", true]],
    summary: last ? `Line chart of the ${figure.toLowerCase()} minus that of a coin flip over time: ${signed(last.value, 4)} at the end, 95 % range ${signed(last.low, 4)} to ${signed(last.high, 4)}.` : "",
    plot: {
      kind: "lines", time: true, x: timeline(rows.map((point) => point.ended_at)), notes: rows.map((point) => `after ${count(point.rounds)} rounds`), range: [-0.002, 0.002], marks, rounds: rows.map((point) => point.rounds),
      bands: [{ name: "95 % range", low: rows.map((point) => point.low), high: rows.map((point) => point.high), colour, digits: 4 }],
      series: [
        { name: "Coin flip", values: rows.map(() => 0), colour: "baseline", dash: true, digits: 4 },
        { name: figure, values: rows.map((point) => point.value), colour, digits: 4 },
      ],
    },
    columns: [
      { name: "Until", cell: (point) => when(point.ended_at) },
      { name: "Rounds", number: true, cell: (point) => count(point.rounds) },
      { name: figure, number: true, cell: (point) => fixed(point[key]) },
      { name: "Coin flip", number: true, cell: (point) => fixed(coin(point)) },
      { name: "Difference", number: true, cell: (point) => signed(point.value, 4) },
      { name: "At least", number: true, cell: (point) => signed(point.low, 4) },
      { name: "At most", number: true, cell: (point) => signed(point.high, 4) },
    ],
    rows,
  });
}

export function calibration({ calibration: bins, rounds }) {
  return chart({
    name: "Calibration",
    explanation: "When RBS predicts 70 %, does that team win 7 out of 10 rounds? Accurate predictions lie on the dashed line. Vertical lines show the 95 % confidence range, grey bars the number of rounds.",
    legend: [["Observed", "series-1"], ["Accurate", "baseline", true], ["Rounds", "faint"]],
    summary: `Calibration chart: for each of ${bins.length} ranges of predictions, how often team A really won, with a 95 % confidence range. On the dashed diagonal line, results match the predictions.`,
    plot: { kind: "calibration", bins },
    columns: [
      { name: "Predicted", cell: (bin) => `${percent(bin.from, 0)} to ${percent(bin.to, 0)}` },
      { name: "Average prediction", number: true, cell: (bin) => percent(bin.predicted) },
      { name: "Team A won", number: true, cell: (bin) => percent(bin.observed) },
      { name: "At least", number: true, cell: (bin) => percent(bin.low) },
      { name: "At most", number: true, cell: (bin) => percent(bin.high) },
      { name: "Rounds", number: true, cell: (bin) => count(bin.rounds) },
    ],
    rows: rounds === 0 ? [] : bins,
  });
}

export function bias({ favourites, side_bias: side }) {
  const of = (name, which) => ({
    name, rounds: favourites.rounds[which], predicted: favourites.predicted[which], observed: favourites.observed[which],
    value: favourites.residual[which], error: favourites.standard_error[which],
  });
  const all = [
    of("Favourites, recent", "window"),
    of("Favourites, all rounds", "all"),
    { name: "Team A, all rounds", rounds: side.rounds, predicted: side.predicted, observed: side.observed, value: side.bias, error: side.standard_error },
  ];
  const rows = all.filter((row) => row.value !== null && row.error !== null);
  for (const row of rows) {
    row.summary = `${row.name}: wins minus predicted wins ${signed(row.value * 100, 1)} percentage points, plus or minus ${fixed(row.error * 200, 1)}`;
  }
  return chart({
    name: "Prediction bias for favourites and team A",
    explanation: `Observed minus predicted wins. If favourites (predicted to win with at least ${percent(0.5 + favourites.threshold, 0)}) are left of zero, they win less often than predicted: the predictions are too bold. If team A is left or right of zero, one side has an advantage. Each bar extends two standard errors (one is the deviation that luck alone typically causes) to both sides; if it crosses zero, the bias may be chance.`,
    drawing: biasRows(rows),
    columns: [
      { name: "Group", cell: (row) => row.name },
      { name: "Rounds", number: true, cell: (row) => count(row.rounds) },
      { name: "Predicted", number: true, cell: (row) => percent(row.predicted) },
      { name: "Observed", number: true, cell: (row) => percent(row.observed) },
      { name: "Bias, points", number: true, cell: (row) => signed(row.value * 100, 2) },
      { name: "Standard error", number: true, cell: (row) => fixed(row.error * 100, 2) },
    ],
    rows,
  });
}
