// A round's page: prediction, result, rating changes, and admin actions.

import { get, part } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, gain, moment, NOTHING, outcome, percent, plural, signed, team, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { interventionsTable } from "./interventions/recent.js";
import { playerLink } from "./links.js";
import { rebuildNotice } from "./rebuild.js";
import { correctForm, markButton } from "./round/mark.js";
import { scoreboard } from "./round/scoreboard.js";
import { named, splitTable } from "./scramble/splits.js";

export async function round({ rest, query, pool, show }) {
  const [server, id] = rest;
  const path = `/v1/admin/rounds/${part(server ?? "")}/${part(id ?? "")}`;
  const found = await get(path);
  const [splits, interventions] = await Promise.all([splitsBefore(path, server), interventionsOf(found)]);
  const played = pool?.pool === found.pool ? pool : { pool: found.pool };
  return {
    title: `Round ${found.round_id}`,
    tree: h("div", { class: "view" },
      h("h1", null, "Round ", h("span", { class: "of" }, found.round_id)),
      found.void && h("p", { class: "notice", "data-key": "void" },
        h("strong", null, "This round does not count. "),
        `It was voided on ${moment(found.void.at)}${found.void.reason ? `: ${found.void.reason}` : " without a reason."}`),
      found.correction && h("p", { class: "notice", "data-key": "correction" },
        h("strong", null, "The winner was corrected. "),
        `The server reported: ${outcome(found.correction.reported)}. It was corrected on ${moment(found.correction.at)}${found.correction.reason ? `: ${found.correction.reason}` : " without a reason."}`),
      rebuildNotice({ pool: found.pool, rebuild: inProgress(found) }, show),
      facts(found),
      sums(found),
      found.void ? lineups(found, query.pool) : ["a", "b"].map((side) => rated(found, side, query.pool)),
      scoreboard((side) => entries(found, side).map((entry) => ({ ...entry, name: nameOf(found, entry.id) })), query.pool ?? found.pool),
      absent(found, query.pool),
      splitsPanel(found, splits),
      interventions.length > 0 && h("section", { class: "panel wide", "data-key": "interventions" },
        h("h2", null, "Interventions in this round"),
        h("p", { class: "explanation" }, "When the teams were unbalanced, and what RBS recommended."),
        interventionsTable(interventions, played, { pool: query.pool })),
      h("section", { class: "panel actions", "data-key": "mark" },
        h("h2", null, found.void ? "Restore this round" : "Void this round"),
        h("p", { class: "explanation" }, found.void
          ? "Makes the round count again. RBS recalculates all ratings with this round."
          : "The round stays in the log and is marked as void. RBS recalculates all ratings as if it had never been played."),
        markButton(found, path, show)),
      h("section", { class: "panel actions", "data-key": "correct" },
        h("h2", null, "Correct the winner"),
        h("p", { class: "explanation" }, "The reported winner stays in the log. RBS recalculates all ratings with the corrected winner."),
        correctForm(found, path, show))),
  };
}

async function splitsBefore(path, server) {
  const { table: splits } = await get(`${path}/scramble`);
  return splits && named(splits, server);
}

/** Maximum time between an intervention and the end of its round, in milliseconds. */
const LONGEST_ROUND = 3 * 3600 * 1000;

async function interventionsOf({ pool, server, round_id: id, ended_at: ended }) {
  const from = new Date(Date.parse(ended) - LONGEST_ROUND).toISOString();
  const { interventions } = await get("/v1/admin/interventions", { pool, server, from, to: ended, limit: 100 });
  return interventions.filter((one) => one.round?.round_id === id);
}

/** The teams' rating sums at the start of the round. */
function sums(found) {
  const before = new Map(found.players.map((player) => [player.id, player.before]));
  const rosters = ["a", "b"].map((side) => entries(found, side).filter((entry) => entry.at_start !== false));
  const rated = rosters.map((roster) => roster.filter((entry) => before.has(entry.id)));
  if (rated.some((roster) => roster.length === 0)) {
    return null;
  }
  const [a, b] = rated.map((roster) => roster.reduce((sum, entry) => sum + before.get(entry.id), 0));
  const unknown = rosters.flat().length - rated.flat().length;
  const rows = [
    [`Team A, ${plural(rosters[0].length, "player")}`, count(a)],
    [`Team B, ${plural(rosters[1].length, "player")}`, count(b)],
    ["Difference, A minus B", signed(a - b)],
    ["An average player", `A ${count(Math.round(a / rated[0].length))}, B ${count(Math.round(b / rated[1].length))}`],
  ];
  return h("section", { class: "panel wide", "data-key": "sums" },
    h("h2", null, "The teams at the start"),
    h("p", { class: "explanation" }, "Rating sums before the round. The predicted odds come from these sums", unknown > 0 && `, which leave out ${plural(unknown, "player")} who left without taking part`, "."),
    h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))));
}

/** The scramble before the round, and whether its teams were played. */
function splitsPanel(found, splits) {
  if (splits === null) {
    return h("p", { class: "muted", "data-key": "scramble" }, "No scramble is recorded before this round: none was requested, or it is no longer stored. ",
      h("a", { href: address("scramble", [], { pool: found.pool, server: found.server }) }, `Last scramble on ${found.server}`));
  }
  const roster = (side) => entries(found, side).filter((entry) => entry.at_start !== false).map((entry) => entry.id).sort().join(" ");
  const teams = [roster("a"), roster("b")].sort().join(" v ");
  const played = (split) => [[...split.a].sort().join(" "), [...split.b].sort().join(" ")].sort().join(" v ") === teams;
  const isPlayed = splits.splits.some(played) || splits.alternatives.some(played);
  return h("section", { class: "panel wide", "data-key": "scramble" },
    h("h2", null, "Scramble before this round"),
    h("p", { class: "explanation" }, "Computed on ", when(splits.computed_at), ` for ${plural(splits.eligible, "player")}. ${isPlayed ? "The round was played with teams from this scramble." : "The round was not played with teams from this scramble: players joined, left or changed sides, or the scramble was not carried out."}`),
    splitTable(splits, played));
}

/** The running void, restoration or correction, in the form of a rebuild. */
function inProgress({ server, round_id, in_progress: action, progress }) {
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
    ...(found.secret ? [["Secret", h("a", { href: address("rounds", [], { pool: found.pool, secret: found.secret }) }, found.secret)]] : []),
    ["Outcome", outcome(found.winner)],
    ["Predicted", [h("span", null, `A ${percent(found.win_probability.a)}`), ", ", h("span", null, `B ${percent(found.win_probability.b)}`)]],
    ["Theta (Θ)", fixed(found.theta, 0)],
  ];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

function rated(found, side, pool) {
  const players = found.players.filter((player) => player.team === side);
  const odds = percent(found.win_probability[side]);
  const result = found.winner === "draw" ? "drew" : found.winner === side ? "won" : "lost";
  const title = `${team(side)}, predicted chance of winning ${odds}, ${result}`;
  return h("section", { class: "panel wide", "data-key": `team ${side}` },
    h("h2", null, title),
    table({
      caption: title,
      rows: players,
      id: (player) => player.id,
      empty: "No player on this team was rated.",
      columns: [
        { name: "Player", cell: (player) => playerLink(player.id, pool ?? found.pool, player.name) },
        { name: "Change", number: true, cell: (player) => gain(player.delta) },
        { name: "Before", number: true, cell: (player) => count(player.before) },
        { name: "After", number: true, cell: (player) => count(player.rating) },
        { name: "K-factor", number: true, cell: (player) => fixed(player.k, 1) },
        { name: "Odds", number: true, cell: (player) => percent(player.win_probability) },
        { name: "Rounds", number: true, cell: (player) => count(player.rounds) },
        { name: "Rating shown", cell: (player) => (player.visible ? "yes" : "no, too few rounds") },
      ],
    }));
}

function entries(found, side) {
  return found[`team_${side}`].map((entry) => (typeof entry === "object" ? entry : { id: entry }));
}

/** Returns the name of a player in the round, or `null`. */
function nameOf({ players, unrated }, id) {
  return [...players, ...unrated].find((player) => player.id === id)?.name ?? null;
}

function lineups(found, pool) {
  return ["a", "b"].map((side) => h("section", { class: "panel wide", "data-key": `team ${side}` },
    h("h2", null, team(side)),
    h("ul", { class: "ids" }, entries(found, side).map((entry) => h("li", null, playerLink(entry.id, pool ?? found.pool, nameOf(found, entry.id)))))));
}

/** The players who were in a team but not rated. */
function absent(found, pool) {
  const left = ["a", "b"].flatMap((side) => entries(found, side).filter((entry) => entry.participated === false).map((entry) => [entry.id, side]));
  return left.length > 0 && !found.void && h("section", { class: "panel wide", "data-key": "left" },
    h("h2", null, "Left without taking part"),
    h("ul", { class: "ids" }, left.map(([id, side]) => h("li", null, playerLink(id, pool ?? found.pool, nameOf(found, id)), ` (${team(side)})`))));
}
