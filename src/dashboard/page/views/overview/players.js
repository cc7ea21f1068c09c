// How the ratings lie, and how they settle.

import { chart } from "../../charts/figure.js";
import { count, fixed } from "../../format.js";

export function players(figures) {
  return [histogram(figures), settling(figures)];
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
