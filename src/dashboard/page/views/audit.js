// What admins did in the pool, the latest first.

import { get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, outcome, plural, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { playerLink, roundLink } from "./links.js";

const LIMIT = 50;

/** What admins do, by the names of the API. */
export const ACTIONS = { set: "Rating given", reset: "Player reset", undo: "Change undone", void: "Round voided", void_rounds: "Rounds voided", take_back_names: "Names taken back", unvoid: "Round restored", correct: "Winner corrected", rebuild: "Ratings rebuilt", switch: "Model switched", prune: "Old rounds pruned", scramble: "Scramble asked for", import_ratings: "Ratings imported", undo_ratings: "Ratings taken back", season: "Season started", undo_season: "Season undone" };

export async function audit({ pool, query }) {
  const { entries, next } = await get("/v1/admin/audit", { pool: pool.pool, limit: LIMIT, after: query.after });
  return {
    title: "Audit trail",
    tree: h("div", { class: "view" },
      h("h1", null, "Audit trail ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "What was changed by hand, by whom and why. The secret is named by its fingerprint; \"command\" was done on the service's own machine, \"calendar\" by the calendar of seasons."),
      table({
        caption: "What admins did, the latest first",
        empty: "Nobody has changed anything by hand.",
        rows: entries,
        id: (entry) => `${entry.at} ${entry.action} ${entry.player ?? entry.round_id ?? ""}`,
        columns: [
          { name: "When", cell: (entry) => when(entry.at) },
          { name: "What", cell: (entry) => ACTIONS[entry.action] ?? entry.action },
          { name: "Whom or which", cell: (entry) => (entry.player ? playerLink(entry.player, pool.pool, entry.player_name) : entry.round_id ? roundLink(entry, pool.pool) : NOTHING) },
          { name: "Before", cell: (entry) => figures(entry.before) },
          { name: "After", cell: (entry) => [figures(entry.after), ratings(entry, pool.pool)] },
          { name: "Reason", cell: (entry) => h("span", { class: "reason" }, entry.reason ?? NOTHING) },
          { name: "Secret", cell: (entry) => (entry.secret ? h("code", null, entry.secret) : entry.after?.by_calendar ? "calendar" : "command") },
        ],
      }),
      h("p", { class: "pages" },
        query.after && h("a", { class: "button", href: address("audit", [], { pool: query.pool }) }, "To the latest"),
        next && h("a", { class: "button", href: address("audit", [], { pool: query.pool, after: next }) }, "Earlier changes"))),
  };
}

/** What the trail says of before or after, each figure by its name. */
function figures(value) {
  const listed = Object.entries(value ?? {}).filter(([name]) => name !== "players" && name !== "by_calendar");
  return listed.length === 0 ? NOTHING : h("ul", null, listed.map(([name, figure]) => h("li", null, written(name, figure))));
}

function written(name, value) {
  if (name === "winner") {
    return outcome(value);
  }
  if (name === "void") {
    return value ? "does not count" : "counts";
  }
  const figure = typeof value !== "number" ? String(value ?? NOTHING) : Number.isInteger(value) ? count(value) : fixed(value);
  return `${name.replaceAll("_", " ")} ${figure}`;
}

/** What a round that was voided or restored made of those who were in it. */
function ratings({ before, after }, pool) {
  const then = new Map((before?.players ?? []).map(({ id, rating }) => [id, rating]));
  const now = after?.players ?? [];
  return now.length > 0 && h("details", null,
    h("summary", null, plural(now.length, "rating")),
    h("ul", null, now.map(({ id, name, rating }) => h("li", null, playerLink(id, pool, name), ` ${count(then.get(id))} → ${count(rating)}`))));
}
