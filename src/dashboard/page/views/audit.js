// The audit trail of a pool, newest first.

import { get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, outcome, plural, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { playerLink, roundLink } from "./links.js";

const LIMIT = 50;

/** Labels of the API's actions. */
export const ACTIONS = { set: "Rating set", reset: "Player reset", undo: "Change undone", void: "Round voided", void_rounds: "Rounds voided", take_back_names: "Names removed", unvoid: "Round restored", correct: "Winner corrected", rebuild: "Ratings rebuilt", switch: "Model switched", prune: "Old rounds pruned", scramble: "Scramble requested", import_ratings: "Ratings imported", undo_ratings: "Rating import undone", season: "Season started", undo_season: "Season undone" };

export async function audit({ pool, query }) {
  const { entries, next } = await get("/v1/admin/audit", { pool: pool.pool, limit: LIMIT, after: query.after });
  return {
    title: "Audit trail",
    tree: h("div", { class: "view" },
      h("h1", null, "Audit trail ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "Every change made by an admin, with its reason. The \"Secret\" column shows the fingerprint of the admin's secret, \"command\" for a change made with the rbs program on the server, or \"calendar\" for the start of a planned season."),
      table({
        caption: "Changes by admins, newest first",
        empty: "No admin has changed anything yet.",
        rows: entries,
        id: (entry) => `${entry.at} ${entry.action} ${entry.player ?? entry.round_id ?? ""}`,
        columns: [
          { name: "When", cell: (entry) => when(entry.at) },
          { name: "Action", important: true, cell: (entry) => ACTIONS[entry.action] ?? entry.action },
          { name: "Player or round", important: true, cell: (entry) => (entry.player ? playerLink(entry.player, pool.pool, entry.player_name) : entry.round_id ? roundLink(entry, pool.pool) : NOTHING) },
          { name: "Before", cell: (entry) => figures(entry.before) },
          { name: "After", cell: (entry) => [figures(entry.after), ratings(entry, pool.pool)] },
          { name: "Reason", important: true, wrap: true, cell: (entry) => entry.reason ?? NOTHING },
          { name: "Secret", cell: (entry) => (entry.secret ? h("code", null, entry.secret) : entry.after?.by_calendar ? "calendar" : "command") },
        ],
      }),
      h("p", { class: "pages" },
        query.after && h("a", { class: "button", href: address("audit", [], { pool: query.pool }) }, "Show latest"),
        next && h("a", { class: "button", href: address("audit", [], { pool: query.pool, after: next }) }, "Older changes"))),
  };
}

/** Lists the values before or after a change, with their names. */
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

/** Lists the ratings that a voided or restored round changed. */
function ratings({ before, after }, pool) {
  const then = new Map((before?.players ?? []).map(({ id, rating }) => [id, rating]));
  const now = after?.players ?? [];
  return now.length > 0 && h("details", null,
    h("summary", null, plural(now.length, "rating")),
    h("ul", null, now.map(({ id, name, rating }) => h("li", null, playerLink(id, pool, name), ` ${count(then.get(id))} → ${count(rating)}`))));
}
