// How well other models predict the same rounds.

import { h } from "../../dom.js";
import { count, fixed, percent, plural, sentence, signed } from "../../format.js";
import { table } from "../../table.js";

/** `null` where the pool has no challengers. */
export function models(found) {
  if (found.models.length === 0 && found.caught_up_to === 0) {
    return null;
  }
  const { compared, window } = found;
  return h("section", { class: "panel wide", "data-key": "models" },
    h("h2", null, "Models"),
    h("p", { class: "explanation" }, `Challengers predict every round beside ${found.model}, which rates the pool, and nothing that players see comes from them. The difference is that of the log losses; below 0 by three standard errors, a challenger predicts better.`),
    h("p", { class: "explanation" }, `Compared on ${plural(compared.rounds, "round")} up to round ${count(found.caught_up_to)} of ${count(found.rounds)}: ${plural(compared.draws, "draw")}, ${count(compared.uneven)} with uneven teams, ${count(compared.unrated)} that rate nobody on a team.`),
    h("p", null, sentence(found.advice)),
    table({
      caption: "Models on the same rounds",
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
