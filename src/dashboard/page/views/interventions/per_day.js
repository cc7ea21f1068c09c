// How often, day by day.

import { chart } from "../../charts/figure.js";
import { count, plural } from "../../format.js";

const DAY = 86_400;

export function perDay({ by_day: days, interventions }) {
  const from = days.map((day) => Date.parse(day.from) / 1000);
  const most = Math.max(...days.map((day) => day.interventions));
  return chart({
    name: "Interventions per day",
    explanation: "Days of UTC, the last one is today. A sudden rise says that a server's teams are made differently, or that a policy has become stricter.",
    legend: [["Players moved", "series-1"], ["Bots changed", "series-3"], ["Nothing helped", "series-2"]],
    summary: `Bars, one for each of ${plural(days.length, "day")}: ${plural(interventions, "intervention")} in all, on the busiest day ${count(most)}.`,
    plot: {
      kind: "bars", time: true, from, to: from.map((begin) => begin + DAY),
      parts: [
        { name: "Players moved", values: days.map((day) => day.moved), colour: "series-1" },
        { name: "Bots changed", values: days.map((day) => day.filled), colour: "series-3" },
        { name: "Nothing helped", values: days.map((day) => day.nothing_helps), colour: "series-2" },
      ],
    },
    columns: [
      { name: "Day", cell: (day) => day.from.slice(0, 10) },
      { name: "Interventions", number: true, cell: (day) => count(day.interventions) },
      { name: "Players moved", number: true, cell: (day) => count(day.moved) },
      { name: "Bots changed", number: true, cell: (day) => count(day.filled) },
      { name: "Nothing helped", number: true, cell: (day) => count(day.nothing_helps) },
    ],
    rows: days,
  });
}
