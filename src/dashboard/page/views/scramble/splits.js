// A table of splits: the teams of each split and how they were chosen.

import { send } from "../../api.js";
import { h } from "../../dom.js";
import { count, fixed, NOTHING, percent, plural, team } from "../../format.js";
import { table } from "../../table.js";
import { playerLink } from "../links.js";

/** Adds the names and current ratings of the players to a table of splits. */
export async function named(found, server) {
  const ids = found.splits.flatMap(({ a, b, waiting: out }) => [...a, ...b, ...out]);
  const { answer } = await send("POST", "/v1/players", {}, { server, players: [...new Set(ids)] });
  return {
    ...found,
    names: new Map(answer.players.map(({ id, name }) => [id, name])),
    ratings: new Map(answer.players.map(({ id, rating }) => [id, rating])),
  };
}

/** Shows all splits of a `named` table, largest teams first. `played(split)` tells whether a split was played. */
export function splitTable(found, played = () => false) {
  const splits = [...found.splits].sort((one, other) => Number(played(other)) - Number(played(one)) || other.size - one.size);
  if (splits.length === 0) {
    return h("p", { class: "nothing" }, found.message ?? "No splits.");
  }
  const [first, ...others] = splits;
  return [
    split(first, found, played(first)),
    others.length > 0 && h("details", { "data-key": "other sizes" },
      h("summary", null, plural(others.length, "other size")),
      others.map((one) => split(one, found, false))),
    found.alternatives.length > 1 && h("details", { "data-key": "alternatives" },
      h("summary", null, plural(found.alternatives.length, "alternative")),
      found.alternatives.map((one, place) => split(one, found, false, place + 1))),
    found.powers.length > 0 && powers(found),
  ];
}

function split(one, found, isPlayed, place = 0) {
  const name = `${one.a.length} v ${one.b.length}`;
  return h("section", { class: "split", "data-key": `split ${one.size} ${place}` },
    h("h3", null, place > 0 ? `${name}, alternative ${place}` : name, isPlayed && h("span", { class: "tag" }, "played")),
    h("p", null, one.message, place === 0 && found.drawn?.size === one.size
      && ` Picked at random: number ${found.drawn.rank} of the best ${found.drawn.of}.`),
    h("div", { class: "teams" }, ["a", "b"].map((side) => h("div", null,
      h("h4", null, `${team(side)}, sum ${count(one[`sum_${side}`])}, predicted ${percent(side === "a" ? one.win_probability_a : 1 - one.win_probability_a)}`),
      ids(one[side], found))),
    one.waiting.length > 0 && h("div", null, h("h4", null, "Waiting"), waiting(one, found))),
    costs(one, found));
}

function link(id, { pool, names }) {
  return playerLink(id, pool, names.get(id));
}

function ids(players, found) {
  return h("ul", { class: "ids" }, players.map((id) => h("li", null, link(id, found), h("span", { class: "muted", title: "Current rating" }, ` ${count(found.ratings.get(id))}`))));
}

function waiting({ waiting: players, waits }, found) {
  return h("ul", { class: "ids" }, players.map((id, place) => {
    const waited = waits[place]?.waited ?? 0;
    return h("li", null, link(id, found), waited > 0 && ` (has waited ${plural(waited, "round")})`);
  }));
}

/** Lists the properties of a split: difference, method, parties, roles, and unmet wishes. */
function costs(one, found) {
  const given = one.best_difference === null ? null : one.difference - one.best_difference;
  const groups = (lists) => h("ul", { class: "groups" }, lists.map((list) => h("li", null, list.map((id, place) => [place > 0 && " + ", link(id, found)]))));
  const rows = [
    ["Difference", plural(one.difference, "point")],
    ["Smallest possible difference", one.best_difference === null ? "unknown" : plural(one.best_difference, "point")],
    ["Cost of wishes", given === null ? NOTHING : given === 0 ? "nothing" : plural(given, "point")],
    ["Result", one.optimal ? "proven best" : `best split found (${one.method})`],
    ...(one.moves === null ? [] : [["Players changing teams", count(one.moves)]]),
    ...(one.parties.kept.length > 0 ? [["Parties kept", groups(one.parties.kept)]] : []),
    ...(one.parties.split.length > 0 ? [["Parties split", groups(one.parties.split)]] : []),
    ...(one.apart.together.length > 0 ? [["Should be apart, but are not", groups(one.apart.together)]] : []),
    ...(one.roles.missing.length > 0 ? [["Unfilled roles", one.roles.missing.map(({ name, missing }) => h("div", null, `${name}: ${count(missing)}`))]] : []),
    ...(one.newcomers ? [["Newcomers", `A ${one.newcomers.a}, B ${one.newcomers.b}${one.newcomers.cost ? `, at a cost of ${plural(one.newcomers.cost, "point")}` : ""}`]] : []),
    ...(one.relaxed.must_play.length > 0 ? [["Wait, although they should play", groups([one.relaxed.must_play])]] : []),
    ...(one.relaxed.must_wait.length > 0 ? [["Play, although they should wait", groups([one.relaxed.must_wait])]] : []),
    ["Rating spread within each team", `A ${fixed(one.spread.a, 0)}, B ${fixed(one.spread.b, 0)}`],
    ["The two best players", one.spread.top_two_apart ? "on different teams" : "on the same team, or one waits"],
    ...(one.repeats ? [["Repeats", "the teams of an earlier round"]] : []),
  ];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", { class: value instanceof Node && "broad" }, h("dt", null, name), h("dd", null, value))));
}

/** The value of each player, if the teams are balanced by a power instead of the rating. */
function powers(found) {
  const { powers: rows, by } = found;
  return h("details", { "data-key": "powers" },
    h("summary", null, `Balanced by ${by}`),
    table({
      caption: `Each player's power ${by}, a value calculated from scoreboards`,
      rows,
      id: (row) => row.id,
      columns: [
        { name: "Player", cell: (row) => link(row.id, found) },
        { name: "Value", number: true, cell: (row) => fixed(row.counted, 1) },
        { name: "From", cell: (row) => row.from },
        { name: "Games", number: true, cell: (row) => count(row.games) },
      ],
    }));
}
