// Shares of one-sided rounds: a check on the teams that does not depend on ratings.

import { h } from "../../dom.js";
import { count, percent } from "../../format.js";
import { table } from "../../table.js";

const MEASURES = [
  ["By scoreboard (one team has 60 % of the points)", "by_scoreboard"],
  ["By length (under half the usual length on the map)", "by_length"],
];

export function oneSided({ one_sided: found }) {
  const rows = MEASURES.map(([name, key]) => ({ name, ...found[key] })).filter(({ scrambled, others }) => scrambled.rounds + others.rounds > 0);
  return rows.length > 0 && h("section", { class: "panel wide", "data-key": "one-sided" },
    h("h2", null, "One-sided rounds"),
    h("p", { class: "explanation" }, "A check that does not depend on ratings: if scrambles make fair teams, rounds with scrambled teams are one-sided less often than others. If the whole 95 % range of the difference is below 0, scrambles help. Detecting a drop from 30 to 20 % takes about 300 rounds of each kind."),
    table({
      caption: "Share of one-sided rounds",
      empty: "Unknown: no round was sent with a scoreboard or with its length.",
      rows,
      columns: [
        { name: "Measure", wrap: true, cell: (row) => row.name },
        { name: "Scrambled teams", number: true, cell: ({ scrambled }) => `${percent(scrambled.share)} of ${count(scrambled.rounds)}` },
        { name: "Other teams", number: true, cell: ({ others }) => `${percent(others.share)} of ${count(others.rounds)}` },
        { name: "Difference (95 % range)", number: true, cell: ({ difference, low, high }) => (difference === null ? "–" : `${percent(difference)} (${percent(low)} to ${percent(high)})`) },
      ],
    }));
}
