// The matches that the game servers play now: why the teams are as they are, the odds, and a button for a scramble.

import { get, part, send } from "../api.js";
import { h } from "../dom.js";
import { clock, count, percent, team, when } from "../format.js";
import { reporting, say } from "../messages.js";
import { address } from "../router.js";
import { playerLink } from "./links.js";
import { problem } from "./panels.js";

export async function live({ rest: [server], query, show }) {
  const { matches } = await get("/v1/admin/live", { pool: query.pool });
  const shown = matches.filter((match) => !server || match.server === server);
  return {
    title: "Live",
    tree: h("div", { class: "view" },
      h("h1", null, "Live ", h("span", { class: "of" }, query.pool ?? "all pools")),
      server && h("p", null, h("a", { href: address("live", [], { pool: query.pool }) }, "Show all servers")),
      shown.length === 0 && h("p", { class: "notice" }, `RBS has not heard from ${server ?? "any game server"} in the last three hours.`),
      shown.map((match) => panel(match, show))),
  };
}

function panel(match, show) {
  const { server, pool, map, players, teams_at: at, message, win_probability: odds } = match;
  const left = players.filter(({ change }) => change === "left");
  const on = (side) => players.filter((player) => player.team === side && player.change !== "left");
  const item = ({ id, name, rating, change }) => h("li", null, playerLink(id, pool, name), h("span", { class: "muted" }, ` ${count(rating)}`), change && h("span", { class: "tag" }, change));
  const list = (name, those) => h("div", null, h("h3", null, name), h("ul", { class: "ids" }, those.map(item)));
  return h("section", { class: "panel match", "data-key": `live ${server}` },
    h("h2", null, server, h("span", { class: "of" }, ` ${map ?? ""} in ${pool}`)),
    h("p", null, message),
    scrambleButton(match, show),
    odds && h("p", { class: "muted" }, "Teams of ", when(at), ", with the current ratings"),
    odds && h("div", { class: "teams" },
      ["a", "b"].map((side) => list(`${team(side)} ${percent(odds[side])}`, on(side))),
      left.length > 0 && list("Left", left)));
}

/** Asks the server for a scramble. The plugin gets the request with the next answer of the service. */
function scrambleButton({ server, scramble_asked_at: asked }, show) {
  const ask = ({ currentTarget: button }) => reporting(button.nextElementSibling, async () => {
    await send("POST", `/v1/admin/servers/${part(server)}/scramble`, {}, {});
    say(`Request saved. ${server} gets it when its plugin next contacts RBS.`);
    await show();
  });
  return asked
    ? h("p", { class: "notice", "data-key": "asked" }, `A scramble was requested at ${clock(asked)}. ${server} has not confirmed it yet.`)
    : h("div", { "data-key": "ask" }, h("button", { type: "button", class: "button primary", onclick: ask }, `Request scramble on ${server}`), problem());
}
