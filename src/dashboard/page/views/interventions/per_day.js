// Interventions per day.

import { chart } from "../../charts/figure.js";
import { count, plural } from "../../format.js";

const DAY = 86_400;

export function perDay({ by_day: days, interventions }) {
  const from = days.map((day) => Date.parse(day.from) / 1000);
  const most = Math.max(...days.map((day) => day.interventions));
  return chart({
    name: "Interventions per day (UTC)",
    explanation: "Days in UTC; the last bar is today. A sudden rise means that a server forms its teams differently, or that a balance policy became stricter.",
    legend: [["Players moved", "series-1"], ["Bots changed", "series-3"], ["No solution", "series-2"]],
    summary: `Bars, one for each of ${plural(days.length, "day")}: ${plural(interventions, "intervention")} in all, at most ${count(most)} on one day.`,
    plot: {
      kind: "bars", time: true, from, to: from.map((begin) => begin + DAY),
      parts: [
        { name: "Players moved", values: days.map((day) => day.moved), colour: "series-1" },
        { name: "Bots changed", values: days.map((day) => day.filled), colour: "series-3" },
        { name: "No solution", values: days.map((day) => day.nothing_helps), colour: "series-2" },
      ],
    },
    columns: [
      { name: "Day (UTC)", cell: (day) => day.from.slice(0, 10) },
      { name: "Interventions", number: true, cell: (day) => count(day.interventions) },
      { name: "Players moved", number: true, cell: (day) => count(day.moved) },
      { name: "Bots changed", number: true, cell: (day) => count(day.filled) },
      { name: "No solution", number: true, cell: (day) => count(day.nothing_helps) },
    ],
    rows: days,
  });
}
