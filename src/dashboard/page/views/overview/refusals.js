// What was refused, of which server, and why.

import { h } from "../../dom.js";
import { count, NOTHING, sentence, when } from "../../format.js";
import { address, place } from "../../router.js";
import { table } from "../../table.js";

/** What a field's JSON pointer is shown as. */
function field(pointer) {
  return pointer ? h("code", null, pointer) : NOTHING;
}

/** Where it came from: the address, and behind a proxy what that says. */
function from({ address, forwarded_for: forwarded }) {
  return forwarded ? `${forwarded} by ${address}` : address ?? NOTHING;
}

function whose(refusal) {
  return refusal.server ?? NOTHING;
}

export function refusals({ since, refusals: rows, forgotten }) {
  return h("section", { class: "panel wide", "data-key": "refusals" },
    h("h2", null, "Refused by this instance"),
    h("p", { class: "explanation" },
      "Rounds and other requests of game servers that were refused since ", when(since),
      ", and every secret that was. Rounds refused here are lost, unless the plugin sends them again by itself (429 and 503).",
      forgotten > 0 && ` ${count(forgotten)} older ones are forgotten.`,
      " ", h("a", { href: address("servers", [], { pool: place().query.pool }) }, "How each server is")),
    table({
      caption: "Refused requests and rounds",
      empty: "Nothing was refused.",
      rows,
      columns: [
        { name: "Last", cell: (row) => when(row.last_at) },
        { name: "Server", cell: whose },
        { name: "Times", number: true, cell: (row) => count(row.count) },
        { name: "Status", number: true, cell: (row) => String(row.status) },
        { name: "Why", cell: (row) => sentence(row.detail) },
        { name: "Field", cell: (row) => field(row.field) },
        { name: "Request", cell: (row) => h("code", null, `${row.method} ${row.route}`) },
        { name: "Secret", cell: (row) => (row.secret ? h("code", null, row.secret) : NOTHING) },
        { name: "From", cell: from },
        { name: "Request id", cell: (row) => h("code", null, row.request_id) },
      ],
    }));
}
