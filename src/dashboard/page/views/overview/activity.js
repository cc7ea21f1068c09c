// Charts of rounds per hour, in total and by server.

import { chart } from "../../charts/figure.js";
import { count, moment, plural } from "../../format.js";

const HOUR = 3_600_000;

export function activity({ from: since, hours, servers, others, total }) {
  const begin = Date.parse(since);
  const at = (hour) => new Date(begin + hour * HOUR).toISOString();
  const sum = (rounds) => rounds.reduce((all, some) => all + some, 0);
  const rows = [...servers];
  if (sum(others) > 0) {
    rows.push({ server: "others", rounds: others });
  }
  const busy = total.map((rounds, hour) => ({ hour, rounds })).filter(({ rounds }) => rounds > 0);
  const from = total.map((rounds, hour) => begin / 1000 + hour * 3600);
  const to = from.map((seconds) => seconds + 3600);
  return [
    chart({
      name: "Rounds per hour",
      explanation: `${plural(sum(total), "round")} on all servers of the pool in the last ${plural(hours, "hour")}. A gap while players were online means that a server could not reach RBS.`,
      summary: `Bars, one for each of ${hours} hours; the busiest hour has ${count(Math.max(0, ...total))} rounds.`,
      plot: {
        kind: "bars", time: true, from, to,
        parts: [{ name: "Rounds", values: total, colour: "series-1" }],
      },
      columns: [
        { name: "Hour starting", cell: ({ hour }) => moment(at(hour)) },
        { name: "Rounds", number: true, cell: ({ rounds }) => count(rounds) },
        ...rows.map((row) => ({ name: row.server, number: true, cell: ({ hour }) => count(row.rounds[hour]) })),
      ],
      rows: busy,
    }),
    chart({
      name: "Rounds per hour by server",
      explanation: "One row for each of the busiest servers, one square for each hour. A stronger colour means more rounds.",
      summary: `A row for each of ${plural(rows.length, "server")} and a square for each of ${hours} hours; the busiest is ${rows[0]?.server} with ${plural(sum(rows[0]?.rounds ?? []), "round")}.`,
      plot: { kind: "heat", time: true, from, to, rows: rows.map((row) => ({ name: row.server, values: row.rounds })) },
      columns: [
        { name: "Server", cell: (row) => row.server },
        { name: "Rounds", number: true, cell: (row) => count(sum(row.rounds)) },
        { name: "Busiest hour", cell: (row) => moment(at(row.rounds.indexOf(Math.max(...row.rounds)))) },
        { name: "Rounds in busiest hour", number: true, cell: (row) => count(Math.max(...row.rounds)) },
        { name: "Hours without rounds", number: true, cell: (row) => count(row.rounds.filter((rounds) => rounds === 0).length) },
        { name: "Last hour with rounds", cell: (row) => moment(at(row.rounds.findLastIndex((rounds) => rounds > 0))) },
      ],
      rows,
    }),
  ];
}
