// The last scramble of a server, and a preview of a new one.

import { get, part } from "../api.js";
import { h } from "../dom.js";
import { count, lasting, sentence, when } from "../format.js";
import { address, go } from "../router.js";
import { field } from "./panels.js";
import { named, splitTable } from "./scramble/splits.js";
import { trial } from "./scramble/trial.js";

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
      server ? [lastPanel(server, last), await trial(server, last, pool, show)] : h("p", { class: "notice" }, "No server of this pool has reported a round yet. Enter a server above to preview a scramble.")),
  };
}

/** Returns the server's last table of splits, or `null`. */
async function lastTable(server) {
  const { table: last } = await get(`/v1/admin/servers/${part(server)}/scramble`);
  return last && named(last, server);
}

function choice(servers, server, pool) {
  const change = (event) => {
    event.preventDefault();
    go(address("scramble", [], { pool, server: event.target.elements.server.value.trim() }));
  };
  return h("form", { class: "filters", onsubmit: change, "aria-label": "Choose a server" },
    field("scramble-server", "Server", { value: server ?? "", required: true, list: "scramble-servers", spellcheck: "false", pattern: "[A-Za-z0-9._\\-]{1,64}", title: "Up to 64 letters, digits, dots, underscores or hyphens" }),
    h("datalist", { id: "scramble-servers" }, servers.map((name) => h("option", { value: name }))),
    h("div", { class: "buttons" }, h("button", { type: "submit", class: "button primary" }, "Show")));
}

function lastPanel(server, last) {
  return h("section", { class: "panel wide", "data-key": `last ${server}` },
    h("h2", null, "Last scramble"),
    last === null
      ? h("p", { class: "nothing" }, "This server has not requested a scramble yet. Its plugin requests one when it reports a round, or with POST /v1/scramble.")
      : [
        h("p", { class: "explanation" },
          "Computed on ", when(last.computed_at), `, ${lasting(last.age)} ago, for ${count(last.eligible)} players of pool ${last.pool}`,
          last.ratings_changed === null ? "." : last.ratings_changed ? "; ratings have changed since." : "; no rating has changed since."),
        last.message && last.splits.length > 0 && h("p", null, sentence(last.message)),
        splitTable(last),
      ]);
}
