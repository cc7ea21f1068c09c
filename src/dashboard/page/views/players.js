// The players of a pool: searched, filtered and sorted.

import { get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, gain, moment, NOTHING, percent, plural, signed, when } from "../format.js";
import { address, go } from "../router.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";

const LIMIT = 50;

const FILTERS = [["", "everybody"], ["ranked", "with a rank"], ["hidden", "hidden"], ["new", "new"], ["stale", "stale"], ["floor", "at the floor"]];

const SORTS = [
  ["", "rank"], ["-rating", "highest rating"], ["rating", "lowest rating"], ["-change_1_day", "gain in 24 hours"], ["change_1_day", "loss in 24 hours"],
  ["-change_7_days", "gain in 7 days"], ["change_7_days", "loss in 7 days"], ["-change_30_days", "gain in 30 days"], ["change_30_days", "loss in 30 days"],
  ["-excess_errors", "wins beyond the odds"], ["excess_errors", "losses beyond the odds"], ["-rounds", "most rounds"], ["rounds", "fewest rounds"], ["-last_played", "played last"],
];

export async function players({ pool, query }) {
  const { search, filter, sort, rank, after } = query;
  const found = await get("/v1/admin/players", { pool: pool.pool, limit: LIMIT, search, filter, sort, rank, after });
  return {
    title: "Players",
    tree: h("div", { class: "view" },
      h("h1", null, "Players ", h("span", { class: "of" }, pool.pool)),
      choices(query),
      worthALook(query),
      h("p", { class: "explanation" }, shown(found)),
      list("Players", found.players, pool, "No such players.", query),
      pages(found, query)),
  };
}

function shown({ total, offset, players: page, computed_at: at }) {
  const which = page.length === 0 ? `None of ${plural(total, "player")}` : `${count(offset + 1)} to ${count(offset + page.length)} of ${plural(total, "player")}`;
  return `${which}, as of ${moment(at)}. Wins beyond the odds are counted in standard errors, over all rounds ever: beyond 3 it is hardly chance.`;
}

/** What is asked for; each change of it is a place of its own. */
function choices(query) {
  const ask = (event) => {
    event.preventDefault();
    const { search, filter, sort, rank } = event.currentTarget.elements;
    const by = rank.value === "" ? sort.value : "";
    go(address("players", [], { pool: query.pool, search: search.value.trim(), filter: filter.value, sort: by, rank: rank.value }));
  };
  const choose = (event) => event.currentTarget.form.requestSubmit();
  const select = (name, label, options) => h("div", { class: "field" },
    h("label", { for: `players-${name}` }, label),
    h("select", { id: `players-${name}`, name, onchange: choose }, options.map(([value, text]) => h("option", { value, selected: (query[name] ?? "") === value }, text))));
  return h("form", { class: "filters", onsubmit: ask, "aria-label": "Which players", "data-key": `${query.search} ${query.filter} ${query.sort} ${query.rank}` },
    h("div", { class: "field" },
      h("label", { for: "players-search" }, "Name or Steam id"),
      h("input", { id: "players-search", name: "search", type: "search", value: query.search ?? "", autocomplete: "off", spellcheck: "false" })),
    select("filter", "Only", FILTERS),
    select("sort", "Sorted by", SORTS),
    h("div", { class: "field" },
      h("label", { for: "players-rank" }, "From rank"),
      h("input", { id: "players-rank", name: "rank", type: "number", min: 1, step: 1, value: query.rank ?? "" })),
    h("button", { type: "submit", class: "button" }, "Show"));
}

/** Links to the lists in which players stand whom an admin may want to look at. */
function worthALook({ pool }) {
  const to = (name, choice) => h("a", { href: address("players", [], { pool, ...choice }) }, name);
  return h("p", { class: "explanation" }, "Worth a look: ",
    to("new players who win beyond the odds", { filter: "new", sort: "-excess_errors" }), ", ",
    to("gains", { sort: "-change_7_days" }), " and ", to("losses", { sort: "change_7_days" }), " in 7 days, ",
    to("players at the floor", { filter: "floor", sort: "-rounds" }), ".");
}

/** The names of the columns lead to the list sorted by them. */
function list(caption, rows, pool, empty, query) {
  const by = (best) => ({ sort: query.sort, to: address("players", [], { pool: query.pool, search: query.search, filter: query.filter, sort: query.sort === best ? opposite(best) : best }), best });
  return table({
    caption,
    empty,
    rows,
    sortable: false,
    id: (player) => player.id,
    columns: [
      { name: "Player", cell: (player) => [playerLink(player.id, pool.pool, player.name), player.placing_rounds > 0 && h("span", { class: "muted" }, " placing")] },
      { name: "Rank", number: true, cell: (player) => count(player.rank) },
      { name: "Rating", by: by("-rating"), number: true, important: true, cell: (player) => count(player.rating) },
      { name: "Is", cell: (player) => states(player) },
      { name: "Rounds", by: by("-rounds"), number: true, cell: (player) => count(player.rounds) },
      { name: "24 hours", by: by("-change_1_day"), number: true, cell: (player) => gain(player.change_1_day) },
      { name: "7 days", by: by("-change_7_days"), number: true, important: true, cell: (player) => gain(player.change_7_days) },
      { name: "30 days", by: by("-change_30_days"), number: true, cell: (player) => gain(player.change_30_days) },
      { name: "Wins beyond the odds", by: by("-excess_errors"), number: true, cell: (player) => (player.excess === null ? NOTHING : `${signed(player.excess_errors, 1)} (${percent(player.excess)})`) },
      { name: "Last played", cell: (player) => when(player.last_played) },
      { name: "Steam id", cell: (player) => (player.id_hidden ? NOTHING : h("a", { class: "id", href: `https://steamcommunity.com/profiles/${player.id}`, rel: "noreferrer" }, player.id)) },
    ],
  });
}

function opposite(sort) {
  return sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
}

function states({ at_floor: floor, visible, stale }) {
  const words = [floor && "at the floor", !visible && "hidden", stale && "stale"].filter(Boolean);
  return words.length === 0 ? NOTHING : words.join(", ");
}

function pages({ next, previous }, { pool, search, filter, sort }) {
  const to = (after) => address("players", [], { pool, search, filter, sort, after });
  return h("p", { class: "pages" },
    previous !== null && h("a", { class: "button", href: to(previous === 0 ? "" : previous) }, "Page before"),
    next !== null && h("a", { class: "button", href: to(next) }, "Next page"));
}
