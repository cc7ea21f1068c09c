// The round list of a pool, newest first, with filters.

import { get } from "../api.js";
import { h } from "../dom.js";
import { address, go } from "../router.js";
import { steamId64 } from "../steam_id.js";
import { field, filters } from "./panels.js";
import { roundsTable } from "./rounds/table.js";
import { voidRounds } from "./rounds/void.js";

const LIMIT = 50;

export async function rounds({ pool, query, show }) {
  const { server, map, player, from, to, secret, after } = query;
  const page = await get("/v1/admin/rounds", {
    pool: pool.pool, server, map, player, from: utc(from), to: utc(to), secret, after, limit: LIMIT,
  });
  const here = { pool: query.pool, server, map, player, from, to, secret };
  const filtered = [server, map, player, from, to, secret].filter(Boolean).length;
  return {
    title: "Rounds",
    tree: h("div", { class: "view" },
      h("h1", null, "Rounds ", h("span", { class: "of" }, pool.pool)),
      filters(filtered, form(pool, query)),
      roundsTable(page.rounds, pool, filtered ? "Matching rounds" : "All rounds, newest first", filtered ? "No rounds match." : "No rounds yet."),
      h("p", null, h("a", { href: address("servers", [], { pool: query.pool }) }, "Server status")),
      h("p", { class: "pages" },
        after && h("a", { class: "button", href: address("rounds", [], here) }, "Show latest"),
        page.next && h("a", { class: "button", href: address("rounds", [], { ...here, after: page.next }) }, "Older rounds")),
      server && page.rounds.length > 0 && [
        h("p", null, h("a", { href: address("live", [server]) }, `Live match on ${server}, with a button to request a scramble`)),
        h("p", null, h("a", { href: address("scramble", [], { pool: query.pool, server }) }, `Last scramble on ${server}, and a preview of a new one`)),
      ],
      (secret || (server && page.rounds.length > 0)) && voidRounds({ server, secret }, pool, { from, to }, show)),
  };
}

/** Converts the local time of a form field to an ISO time. */
function utc(local) {
  const date = new Date(local ?? "");
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function form(pool, { pool: named, server, map, player, from, to, secret }) {
  const filter = (event) => {
    event.preventDefault();
    const { elements } = event.target;
    const typed = elements.player.value.trim();
    const id = typed === "" ? "" : steamId64(typed);
    elements.player.setAttribute("aria-invalid", String(id === null));
    document.getElementById("filter-error").textContent = id === null ? "Not a Steam ID. Use a form such as STEAM_0:1:0 or [U:1:1]." : "";
    if (id === null) {
      elements.player.focus();
      return;
    }
    go(address("rounds", [], {
      pool: named, server: elements.server.value.trim(), map: elements.map.value, player: id, from: elements.from.value, to: elements.to.value, secret: elements.secret.value.trim(),
    }));
  };
  const input = (name, label, type, value, more) => field(`filter-${name}`, label, { type, value, spellcheck: "false", ...more });
  return h("form", { class: "filters", onsubmit: filter, "aria-label": "Find rounds" },
    input("server", "Server", "text", server, { list: "known-servers", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "Up to 64 letters, digits, dots, underscores or hyphens" }),
    h("datalist", { id: "known-servers" }, pool.servers.map((name) => h("option", { value: name }))),
    input("map", "Map", "text", map, { maxlength: 64 }),
    input("player", "Player", "text", player, { placeholder: "Steam ID in any form", "aria-describedby": "filter-error" }),
    input("from", "Ended after", "datetime-local", from),
    input("to", "Ended before", "datetime-local", to),
    input("secret", "Secret", "text", secret, { pattern: "[0-9a-f]{8}", title: "Fingerprint of a secret: eight hexadecimal digits" }),
    h("div", { class: "buttons" },
      h("button", { type: "submit", class: "button primary" }, "Show"),
      h("a", { class: "button", href: address("rounds", [], { pool: named }) }, "Show all")),
    h("p", { id: "filter-error", class: "field-error", role: "alert", "data-keep": true }));
}
