// Whether rounds come in, and from where.

import { chart } from "../../charts/figure.js";
import { hoursByServer } from "../../charts/hours.js";
import { h } from "../../dom.js";
import { count, moment, plural } from "../../format.js";

const HOUR = 3_600_000;

export function activity({ from, hours, servers, others, total }) {
  const begin = Date.parse(from);
  const at = (hour) => new Date(begin + hour * HOUR).toISOString();
  const sum = (rounds) => rounds.reduce((all, some) => all + some, 0);
  const rows = [...servers];
  if (sum(others) > 0) {
    rows.push({ server: "others", rounds: others });
  }
  const busy = total.map((rounds, hour) => ({ hour, rounds })).filter(({ rounds }) => rounds > 0);
  const seconds = (hour) => begin / 1000 + hour * 3600;
  return [
    chart({
      name: "Rounds per hour",
      explanation: `All servers of the pool over the last ${plural(hours, "hour")}: ${plural(sum(total), "round")}. A gap where players were on says that a server does not reach the service.`,
      summary: `Bars, one for each of ${hours} hours; the busiest hour has ${count(Math.max(0, ...total))} rounds.`,
      plot: {
        kind: "bars", time: true, from: total.map((rounds, hour) => seconds(hour)), to: total.map((rounds, hour) => seconds(hour + 1)),
        parts: [{ name: "Rounds", values: total, colour: "series-1" }],
      },
      columns: [
        { name: "Hour from", cell: ({ hour }) => moment(at(hour)) },
        { name: "Rounds", number: true, cell: ({ rounds }) => count(rounds) },
        ...rows.map((row) => ({ name: row.server, number: true, cell: ({ hour }) => count(row.rounds[hour]) })),
      ],
      rows: busy,
    }),
    h("section", { class: "panel", "data-key": "servers" },
      h("h2", null, "Rounds per hour by server"),
      h("p", { class: "explanation" }, "A row for each of the busiest servers and a square for each hour, the oldest left; the stronger the colour, the more rounds."),
      rows.length === 0
        ? h("p", { class: "nothing" }, "No rounds in this time.")
        : h("div", { class: "servers" },
          h("ul", { class: "server-names" }, rows.map((row) => h("li", { title: row.server }, h("span", { class: "server-name" }, row.server), h("span", { class: "server-sum" }, count(sum(row.rounds)))))),
          hoursByServer(rows, hours, `Rounds of each hour for ${plural(rows.length, "server")}; the table next to it has the numbers.`))),
  ];
}
