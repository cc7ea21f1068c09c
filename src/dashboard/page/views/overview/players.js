// Charts of the distribution of ratings and of how they settle.

import { chart } from "../../charts/figure.js";
import { timeline } from "../../charts/look.js";
import { h } from "../../dom.js";
import { count, fixed, plural, sentence, signed, when } from "../../format.js";
import { table } from "../../table.js";

export function players(figures, marks) {
  return [histogram(figures), settling(figures), figures.mean_rating && mean(figures.mean_rating, marks), figures.mean_rating && meanCauses(figures.mean_rating)];
}

/** The average rating of the active players over the latest rounds. */
function mean({ players, from, to, points }, marks) {
  return chart({
    name: "Average rating",
    explanation: `Average rating of the ${plural(players, "active player")}, over the latest 10,000 rounds at most. New players start at the initial rating: if the average moves away from that rating, new players start too high or too low.`,
    legend: [["Average rating", "series-1"]],
    summary: `Line chart of the average rating of the active players over time, from ${count(Math.round(from))} to ${count(Math.round(to))}.`,
    plot: {
      kind: "lines", time: true, x: timeline(points.map((point) => point.ended_at)), notes: points.map((point) => `after ${count(point.rounds)} rounds`), range: [from - 100, from + 100], marks, rounds: points.map((point) => point.rounds),
      series: [{ name: "Average rating", values: points.map((point) => point.mean), colour: "series-1", digits: 1 }],
    },
    columns: [
      { name: "Until", cell: (point) => when(point.ended_at) },
      { name: "Rounds", number: true, cell: (point) => count(point.rounds) },
      { name: "Average rating", number: true, cell: (point) => fixed(point.mean, 1) },
    ],
    rows: points,
  });
}

function meanCauses({ from, to, causes }) {
  return h("section", { class: "panel", "data-key": "mean-causes" },
    h("h2", null, "What moved the average rating"),
    h("p", { class: "explanation" }, `The average rating moved from ${fixed(from, 1)} to ${fixed(to, 1)}. In the table, the points of all causes add up to this change.`),
    table({
      caption: "What moved the average rating",
      rows: causes,
      id: (row) => row.cause,
      columns: [
        { name: "Cause", wrap: true, cell: (row) => sentence(row.message).replace(/\.$/, "") },
        { name: "Points", number: true, important: true, cell: (row) => signed(row.points, 1) },
      ],
    }));
}

function histogram({ histogram: bins, ratings }) {
  return chart({
    name: "Ratings",
    explanation: `Number of players by rating. Half of the players are above ${count(ratings.median)}, a tenth below ${count(ratings.p10)}, a tenth above ${count(ratings.p90)}.`,
    legend: [["Visible", "series-1"], ["Hidden", "series-3"]],
    summary: `Histogram of ratings from ${count(ratings.min)} to ${count(ratings.max)}, median ${count(ratings.median)}, average ${count(ratings.mean)}.`,
    plot: {
      kind: "bars", from: bins.map((bin) => bin.from), to: bins.map((bin) => bin.to), xLabel: "rating",
      parts: [
        { name: "Visible", values: bins.map((bin) => bin.visible), colour: "series-1" },
        { name: "Hidden", values: bins.map((bin) => bin.hidden), colour: "series-3" },
      ],
    },
    columns: [
      { name: "Rating", cell: (bin) => `${count(bin.from)} to ${count(bin.to)}` },
      { name: "Visible", number: true, cell: (bin) => count(bin.visible) },
      { name: "Hidden", number: true, cell: (bin) => count(bin.hidden) },
    ],
    rows: bins,
  });
}

/** Returns the label of a bin of rounds. `to` is exclusive. */
function range({ from, to }) {
  return to === null ? `${count(from)}+` : from === to - 1 ? count(from) : `${count(from)}–${count(to - 1)}`;
}

function settling({ by_rounds_played: bins }) {
  const filled = bins.filter((bin) => bin.entries > 0);
  const [first, last] = [filled[0], filled.at(-1)];
  return chart({
    name: "How ratings settle",
    explanation: "The K-factor is the largest number of points by which a round can move a player's rating. It is large while a rating is unsettled, and smaller for ratings far above or below the initial rating. \"Unsettled\" is 1 for a new player and 0 for a settled rating. It falls over the first 20 rounds or so. It may rise again later, because RBS then computes it from more rounds, and over more rounds a rating moves further.",
    legend: [["K-factor (left)", "series-1"], ["Unsettled (right)", "series-2"]],
    summary: first ? `Line chart by how many rounds players had already played: the average K-factor goes from ${fixed(first.k, 1)} to ${fixed(last.k, 1)}. The average of "unsettled" (1 for a new player, 0 for a settled rating) goes from ${fixed(first.convergence, 2)} to ${fixed(last.convergence, 2)}.` : "",
    plot: {
      kind: "lines", time: false, x: filled.map((bin, place) => place), labels: filled.map(range), xUnit: "rounds before", xLabel: "rounds played before", range: [0, 1],
      series: [
        { name: "K-factor", values: filled.map((bin) => bin.k), colour: "series-1", digits: 1 },
        { name: "Unsettled", values: filled.map((bin) => bin.convergence), colour: "series-2", scale: "share", digits: 2 },
      ],
    },
    columns: [
      { name: "Rounds played before", cell: range },
      { name: "Player rounds", number: true, cell: (bin) => count(bin.entries) },
      { name: "Average K-factor", number: true, cell: (bin) => fixed(bin.k, 1) },
      { name: "Average unsettled", number: true, cell: (bin) => fixed(bin.convergence, 3) },
    ],
    rows: filled,
  });
}
