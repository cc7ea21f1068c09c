// The matches that the game servers play now: why the teams are as they are, the odds, and a button for a scramble.

import { Failed, get, part, send } from "../api.js";
import { h } from "../dom.js";
import { clock, count, percent, sentence, team, when } from "../format.js";
import { say } from "../messages.js";
import { address } from "../router.js";
import { playerLink } from "./links.js";

export async function live({ rest: [server], query, show }) {
  const { matches } = await get("/v1/admin/live", { pool: query.pool });
  const shown = matches.filter((match) => !server || match.server === server);
  const missing = `RBS has not heard of ${server ?? "a game server"} in the last three hours.`;
  return {
    title: "Live",
    tree: h("div", { class: "view" },
      h("h1", null, "Live ", h("span", { class: "of" }, query.pool ?? "all pools")),
      server && h("p", null, h("a", { href: address("live", [], { pool: query.pool }) }, "Show all servers")),
      shown.length === 0 && h("p", { class: "notice" }, missing),
      shown.map((match) => panel(match, show))),
  };
}

function panel(match, show) {
  const { server, pool, map, players, teams_at: at, message, win_probability: odds } = match;
  const left = players.filter(({ change }) => change === "left");
  const on = (side) => players.filter((player) => player.team === side && !left.includes(player));
  const item = (player) => h("li", null, playerLink(player.id, pool, player.name), h("span", null, count(player.rating)), ["joined", "moved"].includes(player.change) && h("span", { class: "muted" }, player.change));
  const list = (name, those) => h("div", null, h("h3", null, name), h("ul", null, those.map(item)));
  return h("section", { class: "panel match", "data-key": `live ${server}` },
    h("h2", null, server, h("span", { class: "of" }, ` ${map ?? ""} in ${pool}`)),
    h("p", { class: "message" }, message),
    scrambleButton(match, show),
    odds && h("p", { class: "muted" }, "Teams of ", when(at), ", with the current ratings"),
    odds && h("div", { class: "teams" },
      ["a", "b"].map((side) => list([team(side), h("span", null, percent(odds[side]))], on(side))),
      left.length > 0 && list("Left", left)));
}

/** Asks the server for a scramble. The plugin gets the request with the next answer of the service. */
function scrambleButton({ server, scramble_asked_at: asked }, show) {
  const ask = async ({ currentTarget: button }) => {
    const error = button.nextElementSibling;
    error.textContent = "";
    try {
      await send("POST", `/v1/admin/servers/${part(server)}/scramble`, {}, {});
      say(`Request saved. ${server} gets it when its plugin next contacts RBS.`);
      await show();
    } catch (failure) {
      if (!(failure instanceof Failed)) {
        throw failure;
      }
      error.textContent = sentence(failure.message);
    }
  };
  return asked
    ? h("p", { class: "notice", "data-key": "asked" }, `A scramble was requested at ${clock(asked)}. ${server} has not confirmed it yet.`)
    : h("div", { "data-key": "ask" },
      h("button", { type: "button", class: "button primary", onclick: ask }, `Request scramble on ${server}`),
      h("p", { class: "field-error", role: "alert", "data-keep": true }));
}
