// What the last scramble of a server was and why, and what another one would give.

import { get, part } from "../api.js";
import { h } from "../dom.js";
import { count, lasting, sentence, when } from "../format.js";
import { address, go } from "../router.js";
import { named, splitTable } from "./scramble/splits.js";
import { trial } from "./scramble/trial.js";
import { scrambleRequest } from "./scramble_request.js";

export async function scramble({ pool, query, show }) {
  const rounds = await get("/v1/admin/rounds", { pool: pool.pool, limit: 50 });
  const seen = rounds.rounds.map((round) => round.server);
  const servers = [...new Set([...seen, ...pool.servers])];
  const server = query.server || servers[0];
  const last = server ? await lastTable(server) : null;
  return {
    title: "Scramble",
    tree: h("div", { class: "view" },
      h("h1", null, "Scramble ", server && h("span", { class: "of" }, server)),
      choice(servers, server, query.pool),
      server ? [lastPanel(server, last), await trial(server, last, pool, show)] : h("p", { class: "notice" }, "No server has played in this pool yet. Name one above to see what a scramble would give there."),
      server && scrambleRequest(server)),
  };
}

/** The last table of the server; `null` where none was ever computed. */
async function lastTable(server) {
  const { table: last } = await get(`/v1/admin/servers/${part(server)}/scramble`);
  return last && named(last, server);
}

function choice(servers, server, pool) {
  const change = (event) => {
    event.preventDefault();
    go(address("scramble", [], { pool, server: event.target.elements.server.value.trim() }));
  };
  return h("form", { class: "filters", onsubmit: change, "aria-label": "Which server" },
    h("div", { class: "field" },
      h("label", { for: "scramble-server" }, "Server"),
      h("input", { id: "scramble-server", name: "server", type: "text", value: server ?? "", required: true, list: "scramble-servers", autocomplete: "off", spellcheck: "false", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "Letters, digits, dots, underscores and hyphens" })),
    h("datalist", { id: "scramble-servers" }, servers.map((name) => h("option", { value: name }))),
    h("div", { class: "buttons" }, h("button", { type: "submit", class: "button primary" }, "Show")));
}

function lastPanel(server, last) {
  return h("section", { class: "panel wide", "data-key": `last ${server}` },
    h("h2", null, "The last one"),
    last === null
      ? h("p", { class: "nothing" }, "No splits were ever asked for by this server. Its plugin asks for them with a round, or by POST /v1/scramble.")
      : [
        h("p", { class: "explanation" },
          "Computed on ", when(last.computed_at), `, ${lasting(last.age)} ago, for ${count(last.eligible)} players of the pool ${last.pool}`,
          last.ratings_changed === null ? "." : last.ratings_changed ? "; ratings have changed since." : "; no rating has changed since."),
        last.say && last.splits.length > 0 && h("p", null, sentence(last.say)),
        splitTable(last),
      ]);
}
