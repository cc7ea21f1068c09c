// A player's powers and the games that they come from.

import { h } from "../../dom.js";
import { count, fixed, NOTHING, plural, when } from "../../format.js";
import { table } from "../../table.js";

const GAMES_OF = { any: "of any mode", mode: "of the same mode", set: "of the same mode without mutators" };
const RESULTS = new Map([[1, "won"], [0.5, "drew"], [0, "lost"]]);
const SHOWN = 50;

/** Formats a number with up to three decimals. */
function figure(number) {
  return number === null || number === undefined ? NOTHING : String(Number(number.toFixed(3)));
}

/** Describes where a power comes from. */
function origin({ from, games, games_of: gamesOf }) {
  switch (from) {
    case "rating": return "the rating";
    case "newcomer": return "default for newcomers: too few games";
    case "games": return `${plural(games, "game")} ${GAMES_OF[gamesOf]}`;
    default: return "too few games";
  }
}

function place({ place: own, of }) {
  return own === null ? NOTHING : `${figure(own)} of ${count(of)}`;
}

/** Lists the scoreboard values other than score, kills, deaths and assists. */
function others(stats) {
  const known = new Set(["score", "kills", "deaths", "assists"]);
  const more = Object.entries(stats ?? {}).filter(([name]) => !known.has(name));
  return more.length === 0 ? NOTHING : more.map(([name, number]) => `${name} ${figure(number)}`).join(", ");
}

/** The panel with a player's powers and games. */
export function powers({ powers: all, games }) {
  const last = games.slice(0, SHOWN);
  return h("section", { class: "panel wide", "data-key": "powers" },
    h("h2", null, "Powers"),
    h("p", { class: "explanation" }, "A power measures a player's strength from recent scoreboards. RBS can use it instead of the rating to balance teams, in any game mode."),
    table({
      caption: "Powers of this player",
      empty: "No powers.",
      rows: all,
      id: (power) => power.name,
      columns: [
        { name: "Power", cell: (power) => power.name },
        { name: "Value", number: true, cell: (power) => figure(power.power) },
        { name: "From", cell: origin },
      ],
    }),
    h("h3", null, "Games used"),
    table({
      caption: `Last ${plural(last.length, "game")} of this player`,
      empty: "No games yet.",
      rows: last,
      few: 10,
      id: (game) => game.ended_at,
      columns: [
        { name: "Ended", cell: (game) => when(game.ended_at) },
        { name: "Mode", cell: (game) => [game.mode ?? NOTHING, ...game.mutators].join(" + ") },
        { name: "Map", cell: (game) => game.map ?? NOTHING },
        { name: "Result", cell: (game) => RESULTS.get(game.result) },
        { name: "Place", cell: place },
        { name: "Score", number: true, cell: (game) => figure(game.stats?.score) },
        { name: "Kills", number: true, cell: (game) => figure(game.stats?.kills) },
        { name: "Deaths", number: true, cell: (game) => figure(game.stats?.deaths) },
        { name: "Assists", number: true, cell: (game) => figure(game.stats?.assists) },
        { name: "Other values", cell: (game) => others(game.stats) },
        { name: "Minutes", number: true, cell: (game) => (game.seconds === null ? NOTHING : fixed(game.seconds / 60, 1)) },
      ],
    }));
}
