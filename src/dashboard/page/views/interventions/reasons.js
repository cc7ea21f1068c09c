// Why teams were unbalanced, and by which policy.

import { h } from "../../dom.js";
import { count, percent } from "../../format.js";
import { table } from "../../table.js";

const RULES = {
  size_difference: "the sizes differ by too much",
  size_pairs: "the sizes are a pair that is named",
  power_difference: "the strengths differ by too much",
  power_ratio: "one team weighs too much more",
  win_probability: "the favourite's odds are too high",
  bots: "there should be other bots",
};

export function reasons({ by_rule: rules, by_policy: policies, interventions }) {
  const shares = (name, rows, called) => table({
    caption: name,
    rows,
    id: called,
    columns: [
      { name, cell: called },
      { name: "Interventions", number: true, cell: (row) => count(row.interventions) },
      { name: "Share", number: true, cell: (row) => percent(row.interventions / interventions) },
    ],
  });
  return h("section", { class: "panel", "data-key": "reasons" },
    h("h2", null, "Why"),
    h("p", { class: "explanation" }, "The rules that found the teams unbalanced, of which an intervention may have several, and the policies that they are of. A rule that is hardly ever met may be too lax, one that always is too strict."),
    shares("Rule", rules, (row) => RULES[row.rule] ?? row.rule),
    shares("Policy", policies, (row) => row.policy));
}
