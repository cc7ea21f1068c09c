// The scramble preview: the user enters players and wishes and sees the splits. Nothing is stored.

import { Failed, get, send } from "../../api.js";
import { h } from "../../dom.js";
import { reporting } from "../../messages.js";
import { steamId64 } from "../../steam_id.js";
import { field, problem } from "../panels.js";
import { addTo, idIn, playerField, suggestion, suggestionsOf } from "../player/search.js";
import { named, splitTable } from "./splits.js";

/** The last preview and its server. It survives a refresh of the page. */
const tried = { server: null, found: null };

/** Explains the format of a list of players. */
const LINES = "Steam IDs in any form, separated by spaces or commas, or one per line as \"name · ID\"";

export async function trial(server, last, pool, show) {
  const there = await lobby(server, last, pool);
  const run = async (event) => {
    event.preventDefault();
    const form = event.target;
    await reporting(form.querySelector(".field-error"), async () => {
      const { answer } = await send("POST", "/v1/admin/scramble", {}, request(form.elements, server));
      Object.assign(tried, { server, found: await named(answer, server) });
      await show();
      document.getElementById("trial-result")?.focus();
    });
  };
  return h("section", { class: "panel wide", "data-key": `trial ${server}` },
    h("h2", null, "Preview a scramble"),
    h("p", { class: "explanation" }, "A preview changes nothing: it is not stored and not sent to the server."),
    h("form", { class: "trial", onsubmit: run, "aria-label": "Preview a scramble" },
      h("div", { class: "field" },
        h("label", { for: "trial-add" }, "Add a player by name"),
        playerField("trial-add", pool.pool, (added) => addTo(added.form.elements.players, added))),
      lines("players", `Players: ${LINES}`, there.join("\n"), 8, true),
      lines("parties", "Parties, one per line", "", 3),
      lines("apart", "Keep apart, two players per line", "", 3),
      lines("must_play", "Should play", "", 2),
      lines("must_wait", "Should wait", "", 2),
      h("div", { class: "filters" },
        field("trial-sizes", "Team sizes, for example 6, 7", { inputmode: "numeric", pattern: "[0-9 ,]*" }),
        field("trial-tolerance", "Rating points by which teams may be less even, to respect parties and other wishes", { type: "number", min: 0, max: 1000, step: 1, placeholder: "0 or 20" }),
        field("trial-newcomers", "Points for spreading newcomers", { type: "number", min: 0, max: 100, step: 1, placeholder: "pool setting" }),
        field("trial-mode", "Mode", { maxlength: 64 }),
        field("trial-map", "Next map", { maxlength: 64 }),
        field("trial-alternatives", "How many different splits to show for the first team size listed", { type: "number", min: 1, max: 20, step: 1 })),
      h("div", { class: "checks" },
        check("bench", "Players may wait", true),
        check("anchor", "Best player always plays", true),
        check("spread", "Similar rating spread in both teams", true),
        check("auto", "Players who waited play first", true)),
      h("button", { type: "submit", class: "button primary" }, "Show splits"),
      problem()),
    tried.server === server && h("div", { id: "trial-result", tabindex: -1, "data-key": `result ${tried.found.computed_at}`, role: "region", "aria-label": "Preview" },
      h("h3", null, "Preview"),
      splitTable(tried.found)));
}

/** Returns the players of the server's last splits or, if newer, of its last round. */
async function lobby(server, last, pool) {
  const { rounds: [latest] } = await get("/v1/admin/rounds", { pool: pool.pool, server, limit: 1 });
  if (latest && (last === null || latest.ended_at > last.computed_at)) {
    return suggestionsOf(latest);
  }
  const [largest] = last === null ? [] : [...last.splits].sort((one, other) => other.size - one.size);
  return largest ? [...largest.a, ...largest.b, ...largest.waiting].map((id) => suggestion(id, last.names.get(id))) : [];
}

/** Parses each line of a field into ids. Throws a `Failed` that names the first text that is not an id. */
function read(element) {
  const words = (line) => (idIn(line.trim()) === null ? line.split(/[\s,;]+/).filter(Boolean) : [idIn(line.trim())]);
  const written = element.value.split("\n").map(words).filter((line) => line.length > 0);
  return written.map((line) => line.map((word) => {
    const id = steamId64(word);
    if (id === null) {
      throw new Failed(`"${word}" is not a Steam ID; use a form such as STEAM_0:1:0 or [U:1:1]`);
    }
    return id;
  }));
}

function request(elements, server) {
  const sizes = elements.sizes.value.split(/[\s,]+/).filter(Boolean).map(Number);
  const text = (name) => elements[name].value.trim() || null;
  const number = (name) => (elements[name].value === "" ? null : Number(elements[name].value));
  const players = read(elements.players).flat();
  const alternatives = number("alternatives");
  return {
    server,
    players,
    parties: read(elements.parties),
    apart: read(elements.apart),
    must_play: read(elements.must_play).flat(),
    must_wait: read(elements.must_wait).flat(),
    sizes: sizes.length > 0 ? sizes : null,
    tolerance: number("tolerance"),
    newcomers: number("newcomers"),
    mode: text("mode"),
    map: text("map"),
    alternatives: alternatives === null ? null : { size: sizes[0] ?? Math.floor(players.length / 2), count: alternatives },
    bench: elements.bench.checked,
    anchor: elements.anchor.checked,
    spread: elements.spread.checked,
    waited: elements.auto.checked ? "auto" : null,
  };
}

function lines(name, label, value, rows, required = false) {
  return field(`trial-${name}`, label, h("textarea", { id: `trial-${name}`, name, rows, required, spellcheck: "false", autocomplete: "off" }, value));
}

function check(name, label, checked) {
  return h("label", null, h("input", { type: "checkbox", name, checked }), ` ${label}`);
}
