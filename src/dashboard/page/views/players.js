// The player list of a pool, with search, filters and sorting.

import { each, get, part } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, gain, moment, NOTHING, percent, plural, sentence, signed, when } from "../format.js";
import { address, go } from "../router.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";
import { field, filters } from "./panels.js";

const LIMIT = 50;

const FILTERS = [["", "all players"], ["ranked", "ranked"], ["hidden", "hidden"], ["new", "new"], ["stale", "stale"], ["floor", "at the lowest rating"]];

const SORTS = [
  ["", "rank"], ["-rating", "highest rating"], ["rating", "lowest rating"], ["-change_1_day", "largest gain in 24 hours"], ["change_1_day", "largest loss in 24 hours"],
  ["-change_7_days", "largest gain in 7 days"], ["change_7_days", "largest loss in 7 days"], ["-change_30_days", "largest gain in 30 days"], ["change_30_days", "largest loss in 30 days"],
  ["-excess_errors", "most wins above prediction"], ["excess_errors", "most losses above prediction"], ["-rounds", "most rounds"], ["rounds", "fewest rounds"], ["-last_played", "most recently played"],
];

export async function players({ pool, query }) {
  const { search, filter, sort, rank, after } = query;
  const found = await get("/v1/admin/players", { pool: pool.pool, limit: LIMIT, search, filter, sort, rank, after });
  return {
    title: "Players",
    tree: h("div", { class: "view" },
      h("h1", null, "Players ", h("span", { class: "of" }, pool.pool)),
      filters([search, filter, sort, rank].filter(Boolean).length, choices(query)),
      worthALook(query),
      found.players.length > 0 && h("p", { class: "explanation" }, shown(found)),
      list("Players", found.players, pool, found.players.length === 0 && await advice(query), query),
      found.elsewhere.length > 0 && h("ul", { class: "notes" }, found.elsewhere.map((player) => h("li", null, playerLink(player.id, player.pool, player.name), ` is in pool ${player.pool}`))),
      pages(found, query)),
  };
}

function shown({ total, offset, players: page, computed_at: at }) {
  return `${count(offset + 1)} to ${count(offset + page.length)} of ${plural(total, "player")}, as of ${moment(at)}. "Wins above prediction" covers all rounds. Its unit is the standard error, the deviation that luck alone typically causes: a value above 3 is unlikely to be luck.`;
}

/** Says what to do if no player was found. The service explains why it does not know the address of a profile. */
async function advice({ search }) {
  const [{ error }] = await each([/steamcommunity\.com\//i.test(search) && get(`/v1/players/${part(search)}`), null]);
  return error
    ? sentence(error.message.replace(/^\/id\b/, "The text that you searched for"))
    : `No players found. ${search ? "Search for a part of the name or for a Steam ID" : "Change the filters"}, or choose another pool at the top of the page.`;
}

/** The search form. Each change leads to a new address. */
function choices(query) {
  const ask = (event) => {
    event.preventDefault();
    const { search, filter, sort, rank } = event.currentTarget.elements;
    const by = rank.value === "" ? sort.value : "";
    go(address("players", [], { pool: query.pool, search: search.value.trim(), filter: filter.value, sort: by, rank: rank.value }));
  };
  const choose = (event) => event.currentTarget.form.requestSubmit();
  const select = (name, label, options) => field(`players-${name}`, label,
    h("select", { id: `players-${name}`, name, onchange: choose }, options.map(([value, text]) => h("option", { value, selected: (query[name] ?? "") === value }, text))));
  return h("form", { class: "filters", onsubmit: ask, "aria-label": "Find players", "data-key": `${query.search} ${query.filter} ${query.sort} ${query.rank}` },
    field("players-search", "Name or Steam ID", { type: "search", value: query.search ?? "", spellcheck: "false" }),
    select("filter", "Show only", FILTERS),
    select("sort", "Sort by", SORTS),
    field("players-rank", "From rank", { type: "number", min: 1, step: 1, value: query.rank ?? "" }),
    h("button", { type: "submit", class: "button" }, "Show"));
}

/** Links to lists of players that an admin may want to check. */
function worthALook({ pool }) {
  const to = (name, choice) => h("a", { href: address("players", [], { pool, ...choice }) }, name);
  return h("p", { class: "explanation" }, "Worth checking: ",
    to("new players who win more than predicted", { filter: "new", sort: "-excess_errors" }), ", ",
    to("largest gains", { sort: "-change_7_days" }), " and ", to("largest losses", { sort: "change_7_days" }), " in 7 days, ",
    to("players at the lowest rating", { filter: "floor", sort: "-rounds" }), ".");
}

/** The table of players. The column headers are links that sort the whole list. */
function list(caption, rows, pool, empty, query) {
  const by = (best) => ({ sort: query.sort, to: address("players", [], { pool: query.pool, search: query.search, filter: query.filter, sort: query.sort === best ? opposite(best) : best }), best });
  return table({
    caption,
    empty,
    rows,
    sortable: false,
    id: (player) => player.id,
    columns: [
      { name: "Player", cell: (player) => [playerLink(player.id, pool.pool, player.name), player.placing_rounds > 0 && h("span", { class: "muted" }, " in placement")] },
      { name: "Rank", number: true, cell: (player) => count(player.rank) },
      { name: "Rating", by: by("-rating"), number: true, important: true, cell: (player) => count(player.rating) },
      { name: "Status", cell: (player) => states(player) },
      { name: "Rounds", by: by("-rounds"), number: true, cell: (player) => count(player.rounds) },
      { name: "24 hours", by: by("-change_1_day"), number: true, cell: (player) => gain(player.change_1_day) },
      { name: "7 days", by: by("-change_7_days"), number: true, important: true, cell: (player) => gain(player.change_7_days) },
      { name: "30 days", by: by("-change_30_days"), number: true, cell: (player) => gain(player.change_30_days) },
      { name: "Wins above prediction", by: by("-excess_errors"), number: true, cell: (player) => (player.excess === null ? NOTHING : `${signed(player.excess_errors, 1)} (${percent(player.excess)})`) },
      { name: "Last played", cell: (player) => when(player.last_played) },
      { name: "Steam ID", cell: (player) => (player.id_hidden ? NOTHING : h("a", { class: "id", href: `https://steamcommunity.com/profiles/${player.id}`, rel: "noreferrer" }, player.id)) },
    ],
  });
}

function opposite(sort) {
  return sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
}

function states({ at_floor: floor, visible, stale }) {
  const words = [floor && "at the lowest rating", !visible && "hidden", stale && "stale"].filter(Boolean);
  return words.length === 0 ? NOTHING : words.join(", ");
}

function pages({ next, previous }, { pool, search, filter, sort }) {
  const to = (after) => address("players", [], { pool, search, filter, sort, after });
  return h("p", { class: "pages" },
    previous !== null && h("a", { class: "button", href: to(previous === 0 ? "" : previous) }, "Previous page"),
    next !== null && h("a", { class: "button", href: to(next) }, "Next page"));
}
