// Which rules and policies found teams unbalanced.

import { h } from "../../dom.js";
import { count, percent } from "../../format.js";
import { table } from "../../table.js";

const RULES = {
  size_difference: "team sizes differ too much",
  size_pairs: "team sizes are listed as unbalanced",
  power_difference: "team strengths differ too much",
  power_ratio: "one team is stronger than the other by more than the allowed percentage",
  win_probability: "the favourite's odds are too high",
  bots: "the number of bots should change",
};

export function reasons({ by_rule: rules, by_policy: policies, interventions }) {
  const shares = (name, rows, called) => table({
    caption: name,
    rows,
    id: called,
    columns: [
      { name, wrap: true, cell: called },
      { name: "Interventions", number: true, cell: (row) => count(row.interventions) },
      { name: "Share", number: true, cell: (row) => percent(row.interventions / interventions) },
    ],
  });
  return h("section", { class: "panel", "data-key": "reasons" },
    h("h2", null, "Reasons"),
    h("p", { class: "explanation" }, "The rules and policies by which RBS found teams unbalanced. Several rules can apply to one intervention. A rule that hardly ever applies may be too lax; a rule that always applies may be too strict."),
    shares("Rule", rules, (row) => RULES[row.rule] ?? row.rule),
    shares("Policy", policies, (row) => row.policy));
}
