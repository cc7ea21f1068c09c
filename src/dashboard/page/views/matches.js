// Tries matches from a queue: who waits and where there is room are typed, and what would begin is shown.

import { Failed, get, send } from "../api.js";
import { h } from "../dom.js";
import { count, lasting, percent, plural, sentence, team } from "../format.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";
import { addTo, idIn, playerField, suggestionsOf } from "./player_search.js";

/** What was tried last, and in which pool: a refresh of the page does not take it away. */
const tried = { pool: null, found: null };

/** For how long a player has waited unless somebody writes otherwise. */
const WAITED = " @ 60";

export async function matches({ pool, show }) {
  const { rounds: [latest] } = await get("/v1/admin/rounds", { pool: pool.pool, limit: 1 });
  const run = async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = form.querySelector(".field-error");
    error.textContent = "";
    try {
      const asked = request(form.elements, pool.pool);
      const { answer } = await send("POST", "/v1/match", {}, asked);
      const players = asked.tickets.flatMap((ticket) => ticket.players);
      Object.assign(tried, { pool: pool.pool, found: { ...answer, tickets: asked.tickets, names: await names(players, latest) } });
      await show();
      document.getElementById("match-result")?.focus();
    } catch (failure) {
      if (!(failure instanceof Failed)) {
        throw failure;
      }
      error.textContent = sentence(failure.message);
    }
  };
  const there = latest ? await suggestionsOf(latest) : [];
  return {
    title: "Matches",
    tree: h("div", { class: "view" },
      h("h1", null, "Matches"),
      h("section", { class: "panel wide", "data-key": `matches ${pool.pool}` },
        h("h2", null, "Try a queue"),
        h("p", { class: "explanation" }, "Who would play whom, and who would wait and why, by POST /v1/match. Nothing of it is kept."),
        h("form", { class: "trial", onsubmit: run, "aria-label": "Try a queue" },
          h("div", { class: "field" },
            h("label", { for: "match-add" }, "Add a player by name"),
            playerField("match-add", pool.pool, (added) => addTo(added.form.elements.tickets, added, WAITED))),
          field("tickets", "Who waits, a party on each line: Steam ids, or one player with a name, and behind @ for how many seconds", "textarea", { rows: 8, required: true, spellcheck: "false", value: there.map((player) => player + WAITED).join("\n") }),
          h("div", { class: "filters" },
            field("servers", "Free servers", "input", { type: "number", min: 0, max: 64, step: 1, value: 2, required: true }),
            field("sizes", "Players a team, such as 4, 6", "input", { inputmode: "numeric", pattern: "[0-9 ,]+", value: Math.min(Math.max(Math.floor(there.length / 2), 1), 32), required: true }),
            field("policy", "Policy, the pool's if empty", "input", { list: "match-policies", maxlength: 64 })),
          h("datalist", { id: "match-policies" }, ["standard", "even", "quick"].map((name) => h("option", { value: name }))),
          h("button", { type: "submit", class: "button primary" }, "Show the matches"),
          h("p", { class: "field-error", role: "alert", "data-keep": true })),
        tried.pool === pool.pool && result(tried.found))),
  };
}

/** What up to 128 of them are called. */
async function names(players, latest) {
  if (!latest) {
    return new Map();
  }
  const { answer } = await send("POST", "/v1/players", {}, { server: latest.server, players: players.slice(0, 128) });
  return new Map(answer.players.map(({ id, name }) => [id, name]));
}

function request(elements, pool) {
  const now = Date.now();
  const lines = elements.tickets.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const tickets = lines.map((line, place) => {
    const [, who, seconds = "0"] = /^(.*?)(?:\s*@\s*(\d{1,7}))?$/.exec(line);
    const words = idIn(who) === null ? who.split(/[\s,;]+/).filter(Boolean) : [who];
    const players = words.map((word) => {
      const id = idIn(word);
      if (id === null) {
        throw new Failed(`"${word}" is no player's id`);
      }
      return id;
    });
    return { id: `ticket-${place + 1}`, players, since: new Date(now - Number(seconds) * 1000).toISOString() };
  });
  const sizes = elements.sizes.value.split(/[\s,]+/).filter(Boolean).map(Number);
  const servers = Array.from({ length: Number(elements.servers.value) }, (_, place) => ({ name: `server-${place + 1}`, sizes }));
  return { pool, now: new Date(now).toISOString(), policy: elements.policy.value.trim() || null, tickets, servers };
}

function result(found) {
  const { pool, names: known, tickets } = found;
  const link = (id) => playerLink(id, pool, known.get(id));
  const ids = (players) => h("ul", { class: "ids" }, players.map((id) => h("li", null, link(id))));
  const players = new Map(tickets.map((ticket) => [ticket.id, ticket.players]));
  return h("div", { id: "match-result", tabindex: -1, "data-key": `result ${found.now}`, role: "region", "aria-label": "What would begin" },
    h("h3", null, "What would begin"),
    h("p", null, found.say),
    found.matches.map((one) => h("section", { class: "split", "data-key": one.server },
      h("h4", null, `${one.size} v ${one.size} on ${one.server}`),
      h("p", null, one.say),
      h("div", { class: "teams" }, ["a", "b"].map((side) => h("div", null,
        h("h5", null, `${team(side)}, ${count(one[`sum_${side}`])}, given ${percent(side === "a" ? one.win_probability_a : 1 - one.win_probability_a)}`),
        ids(one[side])))))),
    found.waiting.length > 0 && table({
      caption: "Who goes on waiting, and why",
      visibleCaption: true,
      id: (row) => row.ticket,
      rows: found.waiting,
      columns: [
        { name: "Ticket", cell: (row) => row.ticket },
        { name: "Players", cell: (row) => ids(players.get(row.ticket)), value: (row) => players.get(row.ticket).length, wrap: true },
        { name: "Why", cell: (row) => sentence(row.say), value: (row) => row.why, important: true, wrap: true },
        { name: "Has waited", cell: (row) => lasting(row.waited_seconds), value: (row) => row.waited_seconds, number: true },
        { name: "Due in", cell: (row) => (row.due_in_seconds === 0 ? "now" : plural(row.due_in_seconds, "second")), value: (row) => row.due_in_seconds, number: true },
      ],
    }));
}

function field(name, label, kind, { value = "", ...more }) {
  const attributes = { id: `match-${name}`, name, autocomplete: "off", ...more };
  return h("div", { class: "field" },
    h("label", { for: `match-${name}` }, label),
    kind === "textarea" ? h(kind, attributes, value) : h(kind, { type: "text", value, ...attributes }));
}
