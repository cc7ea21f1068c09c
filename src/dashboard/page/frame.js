// The page header and footer: navigation, pool, search, theme, and the time of the last update.

import { h, s } from "./dom.js";
import { clock } from "./format.js";
import { morph } from "./morph.js";
import { openOnPhone } from "./phone.js";
import { address, go } from "./router.js";
import { changeTheme, isDark, whenSystemChanges } from "./theme.js";
import { idIn, playerField, poolWith } from "./views/player/search.js";
import { isIll } from "./views/pools.js";

/** The pages in the header, [view, label]. A new page needs an entry here and one in main.js. */
const PAGES = [
  ["overview", "Overview"],
  ["live", "Live"],
  ["players", "Players"],
  ["rounds", "Rounds"],
  ["scramble", "Scramble"],
  ["interventions", "Interventions"],
  ["leaderboard", "Leaderboard"],
];

/** The pages in the "More" menu. */
const MORE_PAGES = [
  ["servers", "Servers"],
  ["audit", "Audit trail"],
  ["seasons", "Seasons"],
  ["settings", "Settings"],
];

/** Views that stay open when another pool is chosen. */
const OF_EVERY_POOL = ["player", ...[...PAGES, ...MORE_PAGES].map(([view]) => view)];

/** The navigation entry that is highlighted for a detail view. */
const UNDER = { __proto__: null, round: "rounds", player: "players" };

/** Returns the name of a view, before its data and title are there. */
export function nameOf(view) {
  return new Map([["pools", "Pools"], ...PAGES, ...MORE_PAGES]).get(UNDER[view] ?? view) ?? "RBS";
}

/** Draws the header for the current page. */
export function top(now, { paused, pause, logOut, who }) {
  const head = document.getElementById("top");
  const fresh = h("div", { class: "top-in" },
    h("a", { class: "brand", href: now.pools.length > 1 ? address("pools") : address("overview") }, mark(), "RBS"),
    // On a narrow screen all of this is one menu. On a wide screen only "More" is a menu.
    h("div", { class: "all", id: "all", popover: "auto" },
      h("nav", { "aria-label": "Pages" }, links(PAGES, now)),
      search(now),
      h("div", { class: "live" },
        h("span", { class: "fresh", id: "fresh", "data-keep": true }),
        h("button", { type: "button", class: "button quiet", "aria-pressed": String(paused), "aria-label": "Pause updates", onclick: pause }, "Pause")),
      h("div", { class: "more", id: "more", popover: "auto" },
        h("nav", { "aria-label": "More pages" }, links(MORE_PAGES, now)),
        h("a", { class: "button quiet", href: "/docs" }, "API reference"),
        h("button", { type: "button", class: "button quiet", id: "theme", onclick: () => { changeTheme(); nameTheme(); }, "aria-label": `${themeName()} theme` }, `${themeName()} theme`),
        h("button", { type: "button", class: "button quiet", onclick: openOnPhone }, "Open on a phone"),
        h("button", { type: "button", class: "button quiet", onclick: logOut }, "Log out"),
        h("p", { class: "muted" }, "Logged in with the secret ", who.name ? `${who.name}, ` : "", h("code", null, who.secret)))),
    pools(now),
    h("button", { type: "button", class: "button quiet opens-more", popovertarget: "more" }, "More"),
    h("button", { type: "button", class: "button quiet opens-all", popovertarget: "all" }, "Menu"));
  if (head.firstElementChild) {
    morph(head.firstElementChild, fresh);
  } else {
    head.append(fresh);
  }
  head.hidden = false;
  // `morph` keeps the select's old choice, so set it here.
  const isOfAllPools = now.view === "pools" || (now.view === "live" && !now.query.pool && now.pools.length > 1);
  document.getElementById("pool").value = isOfAllPools ? "" : now.pool?.pool ?? "";
}

/** Closes all menus, after a navigation. */
export function closeMenu() {
  for (const menu of document.querySelectorAll("#top :popover-open")) {
    menu.hidePopover();
  }
}

function links(pages, now) {
  return h("ul", null, pages.map(([view, name]) => h("li", null, h("a", {
    href: address(view, [], { pool: now.query.pool }),
    "aria-current": (UNDER[now.view] ?? now.view) === view && "page",
  }, name))));
}

/** Shows the time of the last update. */
export function markFresh(time) {
  document.getElementById("fresh").textContent = `Updated ${clock(time)}`;
}

/** Draws the footer. */
export function foot(version) {
  const place = document.getElementById("foot");
  place.textContent = `RBS ${version}. Times are in this device's time zone. Pages update every 15 seconds.`;
  place.hidden = false;
}

function themeName() {
  return isDark() ? "Light" : "Dark";
}

function nameTheme() {
  const button = document.getElementById("theme");
  if (button) {
    button.textContent = `${themeName()} theme`;
    button.setAttribute("aria-label", `${themeName()} theme`);
  }
}

whenSystemChanges(nameTheme);

function mark() {
  return s("svg", { viewBox: "0 0 32 32", width: 22, height: 22, "aria-hidden": "true" },
    s("rect", { class: "mark", width: 32, height: 32, rx: 7 }),
    s("path", { class: "mark-line", d: "M7 21h18M16 8v13M9 21l4-8m10 8-4-8" }));
}

function pools(now) {
  const change = (event) => {
    const pool = event.target.value;
    const view = now.view === "pools" ? "overview" : OF_EVERY_POOL.includes(now.view) ? now.view : "rounds";
    go(pool === "" ? address("pools") : address(view, view === now.view ? now.rest : [], { pool }));
  };
  return h("div", { class: "pool" },
    h("label", { for: "pool", class: "unseen" }, "Pool"),
    h("select", { id: "pool", onchange: change },
      now.pools.length > 1 && h("option", { value: "" }, "All pools"),
      now.pools.map((known) => h("option", { value: known.pool, selected: known === now.pool }, isIll(known) && "⚠ ", known.pool))));
}

function search(now) {
  const { pool } = now.query;
  const look = async (event) => {
    event.preventDefault();
    const field = event.target.elements.player;
    const text = field.value.trim();
    const id = idIn(text);
    field.value = "";
    go(id === null ? address("players", [], { pool, search: text }) : address("player", [id], { pool: await poolWith(id, now.pool?.pool) ?? pool }));
  };
  return h("form", { class: "search", role: "search", onsubmit: look },
    h("label", { for: "search", class: "unseen" }, "Player by name or Steam ID"),
    playerField("search", now.pool?.pool, (field) => field.form.requestSubmit(), { name: "player", placeholder: "Name or Steam ID", required: true }, true),
    h("button", { type: "submit", class: "button" }, "Find"));
}
