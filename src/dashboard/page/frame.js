// The head and the foot of the page: where one can go, which pool is meant, how fresh it all is.

import { h, s } from "./dom.js";
import { clock } from "./format.js";
import { say } from "./messages.js";
import { morph } from "./morph.js";
import { address, go } from "./router.js";
import { steamId64 } from "./steam_id.js";
import { changeTheme, isDark, whenSystemChanges } from "./theme.js";

const PAGES = [["overview", "Overview"], ["rounds", "Rounds"], ["scramble", "Scramble"], ["interventions", "Interventions"], ["leaderboard", "Leaderboard"], ["audit", "Audit trail"]];

/** Whereabouts in the navigation a view belongs. */
const UNDER = { round: "rounds" };

/** Draws the head for where one is now. */
export function top(now, { paused, pause, logOut }) {
  const head = document.getElementById("top");
  const fresh = h("div", { class: "top-in" },
    h("a", { class: "brand", href: address("overview", [], { pool: now.query.pool }) }, mark(), "RBS"),
    h("nav", { "aria-label": "Pages" }, h("ul", null, PAGES.map(([view, name]) => h("li", null, h("a", {
      href: address(view, [], { pool: now.query.pool }),
      "aria-current": (UNDER[now.view] ?? now.view) === view && "page",
    }, name))))),
    search(now),
    pools(now),
    h("div", { class: "tools" },
      h("span", { class: "fresh", id: "fresh", "data-keep": true }),
      h("button", { type: "button", class: "button quiet", "aria-pressed": String(paused), "aria-label": "Pause updates", onclick: pause }, "Pause"),
      h("button", { type: "button", class: "button quiet", id: "theme", onclick: () => { changeTheme(); nameTheme(); }, "aria-label": `${themeName()} theme` }, themeName()),
      h("button", { type: "button", class: "button quiet", onclick: logOut }, "Log out")));
  if (head.firstElementChild) {
    morph(head.firstElementChild, fresh);
  } else {
    head.append(fresh);
  }
  head.hidden = false;
  // A select keeps what was chosen in it, whatever its options say.
  document.getElementById("pool").value = now.pool?.pool ?? "";
}

/** Says since when the page is as it is. */
export function markFresh(time) {
  document.getElementById("fresh").textContent = `Updated ${clock(time)}`;
}

/** Draws the foot. */
export function foot(version) {
  const place = document.getElementById("foot");
  place.textContent = `RBS ${version}. Times are of this device's time zone; a page refreshes itself every 15 seconds.`;
  place.hidden = false;
}

function themeName() {
  return isDark() ? "Light" : "Dark";
}

function nameTheme() {
  const button = document.getElementById("theme");
  if (button) {
    button.textContent = themeName();
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
    const keep = ["player", "overview", "scramble", "interventions", "leaderboard", "audit"].includes(now.view);
    go(keep ? address(now.view, now.rest, { pool: event.target.value }) : address("rounds", [], { pool: event.target.value }));
  };
  return h("div", { class: "pool" },
    h("label", { for: "pool" }, "Pool"),
    h("select", { id: "pool", onchange: change }, now.pools.map(({ pool }) => h("option", { value: pool, selected: pool === now.pool?.pool }, pool))));
}

function search(now) {
  const look = (event) => {
    event.preventDefault();
    const field = event.target.elements.player;
    const id = steamId64(field.value);
    const error = document.getElementById("search-error");
    field.setAttribute("aria-invalid", String(id === null));
    error.hidden = id !== null;
    if (id === null) {
      error.textContent = "That is no player's id: 76561197960265729, STEAM_0:1:0 and [U:1:1] are the ways to write one.";
      say(error.textContent);
      field.focus();
    } else {
      field.value = "";
      go(address("player", [id], { pool: now.query.pool }));
    }
  };
  return h("form", { class: "search", role: "search", onsubmit: look },
    h("label", { for: "search", class: "unseen" }, "Player by Steam id"),
    h("input", { id: "search", name: "player", type: "text", placeholder: "Steam id", autocomplete: "off", spellcheck: "false", required: true, "aria-describedby": "search-error" }),
    h("button", { type: "submit", class: "button" }, "Find"),
    h("p", { id: "search-error", class: "field-error", "data-keep": true, hidden: true }));
}
