// How the ratings lie, and how they settle.

import { chart } from "../../charts/figure.js";
import { timeline } from "../../charts/look.js";
import { h } from "../../dom.js";
import { count, fixed, sentence, signed, when } from "../../format.js";
import { table } from "../../table.js";

export function players(figures, marks) {
  return [histogram(figures), settling(figures), figures.mean_rating && mean(figures.mean_rating, marks), figures.mean_rating && meanCauses(figures.mean_rating)];
}

/** The mean rating of the active players over the latest rounds. */
function mean({ players, from, to, points }, marks) {
  return chart({
    name: "Mean rating",
    explanation: `The mean of the ${count(players)} active players, over the latest 10,000 rounds at most. New players begin with the initial rating, so they begin far from the middle where the mean has moved far.`,
    legend: [["Mean rating", "series-1"]],
    summary: `The mean rating of the active players over time, a line from ${count(Math.round(from))} to ${count(Math.round(to))}.`,
    plot: {
      kind: "lines", time: true, x: timeline(points.map((point) => point.ended_at)), notes: points.map((point) => `after ${count(point.rounds)} rounds`), range: [from - 100, from + 100], marks, rounds: points.map((point) => point.rounds),
      series: [{ name: "Mean rating", values: points.map((point) => point.mean), colour: "series-1", digits: 1 }],
    },
    columns: [
      { name: "Until", cell: (point) => when(point.ended_at) },
      { name: "Rounds", number: true, cell: (point) => count(point.rounds) },
      { name: "Mean rating", number: true, cell: (point) => fixed(point.mean, 1) },
    ],
    rows: points,
  });
}

function meanCauses({ from, to, causes }) {
  return h("section", { class: "panel", "data-key": "mean-causes" },
    h("h2", null, "What moved the mean rating"),
    h("p", { class: "explanation" }, `From ${fixed(from, 1)} to ${fixed(to, 1)}; the points add up to the difference.`),
    table({
      caption: "What moved the mean rating",
      rows: causes,
      id: (row) => row.cause,
      columns: [
        { name: "Cause", cell: (row) => sentence(row.say).replace(/\.$/, "") },
        { name: "Points", number: true, important: true, cell: (row) => signed(row.points, 1) },
      ],
    }));
}

function histogram({ histogram: bins, ratings }) {
  return chart({
    name: "Ratings",
    explanation: `How many players have which rating; half lie above ${count(ratings.median)}, and a tenth each below ${count(ratings.p10)} and above ${count(ratings.p90)}.`,
    legend: [["Visible", "series-1"], ["Hidden", "series-3"]],
    summary: `Histogram of ratings from ${count(ratings.min)} to ${count(ratings.max)}, with the median ${count(ratings.median)} and the mean ${count(ratings.mean)}.`,
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

/** How many rounds a bin is for; it ends before the next one's fewest. */
function range({ from, to }) {
  return to === null ? `${count(from)}+` : from === to - 1 ? count(from) : `${count(from)}–${count(to - 1)}`;
}

function settling({ by_rounds_played: bins }) {
  const filled = bins.filter((bin) => bin.entries > 0);
  const [first, last] = [filled[0], filled.at(-1)];
  return chart({
    name: "K and unsettled by rounds played",
    explanation: "Unsettled is how far a rating is from rest: 1 is new, 0 settled. It falls over the first 20 rounds or so, and may rise again, because the longer a window of rounds is, the more it has of the rating's way. K is how many points a round can move a player; it follows from that, and falls too the farther a rating is from the start.",
    legend: [["K-factor (left)", "series-1"], ["Unsettled (right)", "series-2"]],
    summary: first ? `Two lines by how many rounds a player had played before: K goes from ${fixed(first.k, 1)} to ${fixed(last.k, 1)}, unsettled from ${fixed(first.convergence, 2)} to ${fixed(last.convergence, 2)}.` : "",
    plot: {
      kind: "lines", time: false, x: filled.map((bin, place) => place), labels: filled.map(range), xUnit: "rounds before", xLabel: "rounds played before", range: [0, 1],
      series: [
        { name: "K-factor", values: filled.map((bin) => bin.k), colour: "series-1", digits: 1 },
        { name: "Unsettled", values: filled.map((bin) => bin.convergence), colour: "series-2", scale: "share", digits: 2 },
      ],
    },
    columns: [
      { name: "Rounds played before", cell: range },
      { name: "Entries", number: true, cell: (bin) => count(bin.entries) },
      { name: "Mean K", number: true, cell: (bin) => fixed(bin.k, 1) },
      { name: "Mean unsettled", number: true, cell: (bin) => fixed(bin.convergence, 3) },
    ],
    rows: filled,
  });
}
