// How a player does among the others, and how the rounds went.

import { chart } from "../charts/figure.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, percent, plural, signed, when } from "../format.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";
import { card } from "./panels.js";

/** What was got out of rounds: those won and half of those drawn. */
function score({ won, drawn }) {
  return won + drawn / 2;
}

/** The cards of a profile. */
export function standing(profile) {
  const { record, next_division: next } = profile;
  return [
    card("Rank", profile.rank === null ? NOTHING : count(profile.rank), [`of ${plural(profile.ranked, "player")}`],
      profile.rank !== null ? profile.better_than === null ? "Nobody else has one." : `Better than ${below(profile.better_than)} of the others.`
        : profile.rounds_until_visible > 0 ? `It takes ${plural(profile.rounds_until_visible, "more round")}.` : "The last round was too long ago; one more brings it back."),
    profile.divisions.length > 0 && card("Division", profile.division ?? NOTHING, [],
      next ? `${plural(next.points, "point")} or ${plural(next.ranks, "rank")} to ${next.name}, which begins at ${count(next.rating)}.` : profile.rank === null ? "It goes by the rank." : "There is none above."),
    card("Record", record.rounds === 0 ? NOTHING : percent(score(record) / record.rounds), [`${count(record.won)} won`, `${count(record.drawn)} drawn`, `${count(record.lost)} lost`],
      record.rounds === 0 ? "No rounds yet." : `${signed(score(record) - record.expected, 1)} wins beyond what was predicted, a draw for half.`),
    card("Streak", record.streak ? streak(record.streak) : NOTHING, [],
      [record.longest_winning, record.longest_losing].filter((one) => one !== null).map((one, place) => [place === 0 ? "The longest: " : ", ", streak(one), " to ", when(one.ended_at)])),
    card("Peak", count(record.peak?.rating), [], record.peak ? ["Reached ", when(record.peak.at), "."] : "No rounds yet."),
  ];
}

/** A share of the others, rounded down, so that nobody seems better than everybody who is not. */
function below(share) {
  const tenths = Math.floor(share * 1000 + 1e-9) / 10;
  return `${tenths < 99 || tenths === 100 ? Math.floor(tenths) : fixed(tenths, 1)} %`;
}

function streak({ result, rounds }) {
  return `${count(rounds)} ${result}`;
}

/** Where the player stands among the ratings of all who have a rank. */
export function distribution({ distribution: bins, rank, rating, better_than: share }) {
  const isHere = (bin) => rank !== null && bin.from <= rating && rating < bin.to;
  const here = rank === null ? "This player has no rank." : `This player has ${count(rating)}${share === null ? "" : `, and is better than ${below(share)} of the others`}.`;
  return chart({
    name: "Among the others",
    explanation: `How many players with a rank have which rating. ${here}`,
    legend: rank === null ? [] : [["The others", "series-1"], ["Here", "series-2"]],
    summary: `Histogram of the ratings of those who have a rank. ${here}`,
    plot: {
      kind: "bars", from: bins.map((bin) => bin.from), to: bins.map((bin) => bin.to), xLabel: "rating",
      parts: [
        { name: "Players", values: bins.map((bin) => (isHere(bin) ? 0 : bin.players)), colour: "series-1" },
        { name: "Here", values: bins.map((bin) => (isHere(bin) ? bin.players : 0)), colour: "series-2" },
      ],
    },
    columns: [
      { name: "Rating", cell: (bin) => `${count(bin.from)} to ${count(bin.to)}` },
      { name: "Players", number: true, cell: (bin) => count(bin.players) },
    ],
    rows: bins,
  });
}

/** The tables of a player's latest rounds: by map and server, with and against whom. */
export function tallies({ recent }, pool) {
  const over = `Of the last ${plural(recent.rounds, "round")}.`;
  return [
    tally("Maps", "Map", recent.by_map, (row) => row.map ?? NOTHING, over),
    tally("Servers", "Server", recent.by_server, (row) => row.server, over),
    tally("Played with", "Player", recent.partners, (row) => playerLink(row.id, pool, row.name), over),
    tally("Played against", "Player", recent.opponents, (row) => playerLink(row.id, pool, row.name), over),
  ];
}

function tally(name, of, rows, cell, over) {
  return h("section", { class: "panel", "data-key": name },
    h("h2", null, name),
    h("p", { class: "explanation" }, `${over} Beyond odds: rounds won beyond what was predicted, a draw for half.`),
    table({
      caption: name,
      empty: "No rounds yet.",
      rows,
      id: (row) => row.id ?? row.server ?? row.map ?? "",
      columns: [
        { name: of, cell },
        { name: "Rounds", number: true, important: true, cell: (row) => count(row.rounds) },
        { name: "Won", number: true, important: true, cell: (row) => percent(score(row) / row.rounds, 0) },
        { name: "Won, drawn, lost", number: true, cell: (row) => `${count(row.won)}–${count(row.drawn)}–${count(row.lost)}` },
        { name: "Beyond odds", number: true, cell: (row) => signed(score(row) - row.expected, 1) },
      ],
    }));
}
