// Table of refused requests.

import { h } from "../../dom.js";
import { count, NOTHING, sentence, when } from "../../format.js";
import { address, place } from "../../router.js";
import { table } from "../../table.js";

function field(pointer) {
  return pointer ? h("code", null, pointer) : NOTHING;
}

/** Returns the client's address; behind a proxy, the forwarded address and the proxy's. */
function from({ address, forwarded_for: forwarded }) {
  return forwarded ? `${forwarded} by ${address}` : address ?? NOTHING;
}

function whose(refusal) {
  return refusal.server ?? NOTHING;
}

/** Shows the refusals of the pool's servers, and of requests that name no server. */
export function refusals({ since, refusals: all, forgotten }, known) {
  const servers = known && new Set(known.servers.map(({ server }) => server));
  const rows = all.filter(({ server }) => server === null || !servers || servers.has(server));
  return (rows.length > 0 || forgotten > 0) && h("section", { class: "panel wide", "data-key": "refusals" },
    h("h2", null, "Refused requests"),
    h("p", { class: "explanation" },
      "Rounds, other requests from game servers and requests with an unknown secret that RBS has refused since ", when(since),
      ". The plugin keeps refused rounds in refused.NAME.jsonl on the game server, and rbs import can add them to RBS later. After status 429 or 503, the plugin sends the rounds again by itself.",
      forgotten > 0 && ` ${count(forgotten)} older entries are no longer shown.`,
      " ", h("a", { href: address("servers", [], { pool: place().query.pool }) }, "Server status")),
    table({
      caption: "Refused requests and rounds",
      empty: "No request was refused.",
      rows,
      few: 10,
      columns: [
        { name: "Last seen", cell: (row) => when(row.last_at) },
        { name: "Server", important: true, cell: whose },
        { name: "Count", number: true, cell: (row) => count(row.count) },
        { name: "Status", number: true, cell: (row) => String(row.status) },
        { name: "Reason", important: true, wrap: true, cell: (row) => sentence(row.detail) },
        { name: "Field", cell: (row) => field(row.field) },
        { name: "Request", cell: (row) => h("code", null, `${row.method} ${row.route}`) },
        { name: "Secret", cell: (row) => (row.secret ? h("code", null, row.secret) : NOTHING) },
        { name: "From", cell: from },
        { name: "Request ID", cell: (row) => h("code", null, row.request_id) },
      ],
    }));
}
