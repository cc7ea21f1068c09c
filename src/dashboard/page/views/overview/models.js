// Comparison of the pool's model with its challengers.

import { h } from "../../dom.js";
import { count, fixed, percent, plural, sentence, signed } from "../../format.js";
import { table } from "../../table.js";

/** Returns the panel of the comparison, or `null` if the pool has no challengers. */
export function models(found) {
  if (found.models.length === 0 && found.caught_up_to === 0) {
    return null;
  }
  const { compared, window } = found;
  return h("section", { class: "panel wide", "data-key": "models" },
    h("h2", null, "Models"),
    h("p", { class: "explanation" }, `Challengers are models that predict the same rounds as ${found.model}, the model that rates this pool; players never see their predictions. "Difference" is a challenger's log loss minus that of ${found.model}. A challenger predicts better if the difference is below 0 by more than three standard errors; the number after ± is one standard error.`),
    h("p", { class: "explanation" }, `Compared on ${plural(compared.rounds, "round")}, up to round ${count(found.caught_up_to)} of ${count(found.rounds)}: ${plural(compared.draws, "draw")}, ${count(compared.uneven)} with uneven teams, ${count(compared.unrated)} where one team had no rated players.`),
    h("p", null, sentence(found.advice)),
    table({
      caption: "Models compared on the same rounds",
      rows: found.models,
      id: (row) => row.model,
      columns: [
        { name: "Model", cell: (row) => row.model },
        ...over("all", "all"),
        ...over("window", `last ${count(window)}`),
      ],
    }));
}

function over(which, name) {
  const figure = (title, cell) => ({ name: `${title}, ${name}`, number: true, cell });
  return [
    figure("Log loss", (row) => fixed(row.log_loss[which])),
    figure("Difference", (row) => difference(row.difference[which], row.standard_error[which])),
    figure("Brier", (row) => fixed(row.brier[which])),
    figure("Favourite won", (row) => percent(row.accuracy[which])),
    figure("Slope", (row) => fixed(row.calibration_slope[which], 2)),
  ];
}

function difference(mean, error) {
  return mean === null ? "–" : `${signed(mean, 4)} ± ${fixed(error)}`;
}
