// A player's rank, record and statistics.

import { chart } from "../../charts/figure.js";
import { h } from "../../dom.js";
import { count, fixed, NOTHING, percent, plural, signed, when } from "../../format.js";
import { table } from "../../table.js";
import { playerLink } from "../links.js";
import { card } from "../panels.js";

/** Returns the score of a tally of rounds: the wins plus half of the draws. */
function score({ won, drawn }) {
  return won + drawn / 2;
}

/** The cards for rank, division, record, streak and peak. */
export function standing(profile) {
  const { record, next_division: next } = profile;
  return [
    card("Rank", profile.rank === null ? NOTHING : count(profile.rank), [`of ${plural(profile.ranked, "player")}`],
      profile.rank !== null ? profile.better_than === null ? "No other player is ranked." : `Better than ${below(profile.better_than)} of the other players.`
        : profile.rounds_until_visible > 0 ? `Ranked after ${plural(profile.rounds_until_visible, "more round")}.` : "Not ranked, because the last round was too long ago. The next round restores the rank."),
    profile.divisions.length > 0 && card("Division", profile.division ?? NOTHING, [],
      next ? `${plural(next.points, "point")} or ${plural(next.ranks, "rank")} to ${next.name}, which starts at ${count(next.rating)}.` : profile.rank === null ? "Only ranked players have a division." : "This is the highest division."),
    card("Record", record.rounds === 0 ? NOTHING : percent(score(record) / record.rounds), [`${count(record.won)} won`, `${count(record.drawn)} drawn`, `${count(record.lost)} lost`],
      record.rounds === 0 ? "No rounds yet." : `${signed(score(record) - record.expected, 1)} wins relative to the predictions. A draw counts as half a win.`),
    card("Streak", record.streak ? streak(record.streak) : NOTHING, [],
      [record.longest_winning, record.longest_losing].filter((one) => one !== null).map((one, place) => [place === 0 ? "Longest: " : ", ", streak(one), " until ", when(one.ended_at)])),
    card("Peak", count(record.peak?.rating), [], record.peak ? ["Reached ", when(record.peak.at), "."] : "No rounds yet."),
  ];
}

/** Formats a share of the other players. Rounds down, so that only the best player gets 100 %. */
function below(share) {
  const tenths = Math.floor(share * 1000 + 1e-9) / 10;
  return `${tenths < 99 || tenths === 100 ? Math.floor(tenths) : fixed(tenths, 1)} %`;
}

function streak({ result, rounds }) {
  return `${count(rounds)} ${result}`;
}

/** Histogram of the ranked players' ratings, with this player highlighted. */
export function distribution({ distribution: bins, rank, rating, better_than: share }) {
  const isHere = (bin) => rank !== null && bin.from <= rating && rating < bin.to;
  const here = rank === null ? "This player is not ranked." : `This player has ${count(rating)} points${share === null ? "" : ` and is better than ${below(share)} of the other players`}.`;
  return chart({
    name: "Compared with others",
    explanation: `Number of ranked players by rating. ${here}`,
    legend: rank === null ? [] : [["Other players", "series-1"], ["This player's range", "series-2"]],
    summary: `Histogram of the ratings of ranked players. ${here}`,
    plot: {
      kind: "bars", from: bins.map((bin) => bin.from), to: bins.map((bin) => bin.to), xLabel: "rating",
      parts: [
        { name: "Players", values: bins.map((bin) => (isHere(bin) ? 0 : bin.players)), colour: "series-1" },
        { name: "This player's range", values: bins.map((bin) => (isHere(bin) ? bin.players : 0)), colour: "series-2" },
      ],
    },
    columns: [
      { name: "Rating", cell: (bin) => `${count(bin.from)} to ${count(bin.to)}` },
      { name: "Players", number: true, cell: (bin) => count(bin.players) },
    ],
    rows: bins,
  });
}

/** Tables of a player's latest rounds: by map, server, teammate and opponent. */
export function tallies({ recent }, pool) {
  const over = `From the last ${plural(recent.rounds, "round")}.`;
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
    h("p", { class: "explanation" }, `${over} "Above prediction" is wins minus predicted wins. A draw counts as half a win.`),
    table({
      caption: name,
      empty: "No rounds yet.",
      rows,
      few: 10,
      id: (row) => row.id ?? row.server ?? row.map ?? "",
      columns: [
        { name: of, cell },
        { name: "Rounds", number: true, important: true, cell: (row) => count(row.rounds) },
        { name: "Won", number: true, important: true, cell: (row) => percent(score(row) / row.rounds, 0) },
        { name: "Won, drawn, lost", number: true, cell: (row) => `${count(row.won)}–${count(row.drawn)}–${count(row.lost)}` },
        { name: "Above prediction", number: true, cell: (row) => signed(score(row) - row.expected, 1) },
      ],
    }));
}
