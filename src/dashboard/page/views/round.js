// One round: what was predicted, what came, and what it made of everybody.

import { get, part } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, gain, moment, NOTHING, outcome, percent, team, when } from "../format.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";
import { rebuildNotice } from "./rebuild.js";
import { markButton } from "./round_mark.js";
import { scoreboard } from "./scoreboard.js";

export async function round({ rest, query, show }) {
  const [server, id] = rest;
  const path = `/v1/admin/rounds/${part(server ?? "")}/${part(id ?? "")}`;
  const found = await get(path);
  return {
    title: `Round ${found.round_id}`,
    tree: h("div", { class: "view" },
      h("h1", null, "Round ", h("span", { class: "of" }, found.round_id)),
      found.void && h("p", { class: "notice", "data-key": "void" },
        h("strong", null, "This round does not count. "),
        `It was voided on ${moment(found.void.at)}${found.void.reason ? `: ${found.void.reason}` : " without a reason."}`),
      rebuildNotice({ pool: found.pool, rebuild: underWay(found) }, show),
      facts(found),
      found.void ? lineups(found, query.pool) : ["a", "b"].map((side) => rated(found, side, query.pool)),
      scoreboard((side) => entries(found, side).map((entry) => ({ ...entry, name: nameOf(found, entry.id) })), query.pool ?? found.pool),
      absent(found, query.pool),
      h("section", { class: "panel actions" },
        h("h2", null, found.void ? "Let it count again" : "Void it"),
        h("p", { class: "explanation" }, found.void
          ? "Every rating becomes what it was before the round was voided, with what was played since."
          : "The round stays in the log, marked, and every rating becomes as if it had never been played."),
        markButton(found, path, show))),
  };
}

/** The void or restoration that is under way, as a rebuild shows itself. */
function underWay({ server, round_id, under_way: action, progress }) {
  return action && { round: { server, round_id, action }, cancelled: false, progress };
}

function facts(found) {
  const rows = [
    ["Server", found.server],
    ["Map", found.map ?? NOTHING],
    ...(found.mode ? [["Mode", found.mode]] : []),
    ...(found.mutators.length > 0 ? [["Mutators", found.mutators.join(", ")]] : []),
    ["Pool", found.pool],
    ["Ended", when(found.ended_at)],
    ["Received", when(found.received_at)],
    ["Outcome", outcome(found.winner)],
    ["Predicted", `A ${percent(found.win_probability.a)}, B ${percent(found.win_probability.b)}`],
    ["Θ", fixed(found.theta, 0)],
  ];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

function rated(found, side, pool) {
  const players = found.players.filter((player) => player.team === side);
  const odds = percent(found.win_probability[side]);
  const result = found.winner === "draw" ? "drew" : found.winner === side ? "won" : "lost";
  const title = `${team(side)}, given ${odds}, ${result}`;
  return h("section", { class: "panel wide", "data-key": `team ${side}` },
    h("h2", null, title),
    table({
      caption: title,
      rows: players,
      id: (player) => player.id,
      empty: "Nobody of this team was rated.",
      columns: [
        { name: "Player", cell: (player) => playerLink(player.id, pool ?? found.pool, player.name) },
        { name: "Change", number: true, cell: (player) => gain(player.delta) },
        { name: "Before", number: true, cell: (player) => count(player.before) },
        { name: "After", number: true, cell: (player) => count(player.rating) },
        { name: "K", number: true, cell: (player) => fixed(player.k, 1) },
        { name: "Odds", number: true, cell: (player) => percent(player.win_probability) },
        { name: "Rounds", number: true, cell: (player) => count(player.rounds) },
        { name: "Rating shown", cell: (player) => (player.visible ? "yes" : "no, too few rounds") },
      ],
    }));
}

function entries(found, side) {
  return found[`team_${side}`].map((entry) => (typeof entry === "object" ? entry : { id: entry }));
}

/** What somebody who stands in the round is called, if that is known. */
function nameOf({ players, unrated }, id) {
  return [...players, ...unrated].find((player) => player.id === id)?.name ?? null;
}

function lineups(found, pool) {
  return ["a", "b"].map((side) => h("section", { class: "panel wide", "data-key": `team ${side}` },
    h("h2", null, team(side)),
    h("ul", { class: "ids" }, entries(found, side).map((entry) => h("li", null, playerLink(entry.id, pool ?? found.pool, nameOf(found, entry.id)))))));
}

/** Those who stand in the teams and were not rated, which nothing else says. */
function absent(found, pool) {
  const left = ["a", "b"].flatMap((side) => entries(found, side).filter((entry) => entry.participated === false).map((entry) => [entry.id, side]));
  return left.length > 0 && !found.void && h("section", { class: "panel wide", "data-key": "left" },
    h("h2", null, "Left without taking part"),
    h("ul", { class: "ids" }, left.map(([id, side]) => h("li", null, playerLink(id, pool ?? found.pool, nameOf(found, id)), ` (${team(side)})`))));
}
