// The game servers of a pool, those that need attention first.

import { get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, plural, points, sentence, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";

export async function servers({ pool, query }) {
  const { since, servers: rows, not_listed: more, plugin } = await get("/v1/admin/servers", { pool: pool.pool });
  const link = (view, text, rest) => h("a", { href: address(view, [], { pool: query.pool, ...rest }) }, text);
  const rounds = ({ server }) => link("rounds", server, { server });
  const urgent = rows.filter((row) => row.attention);
  const declares = rows.some((row) => row.declared);
  return {
    title: "Servers",
    tree: h("div", { class: "view" },
      h("h1", null, "Servers ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "Each leads to its rounds. Today and 24 hours count rounds, in whole hours. What was refused in 24 hours, and what was seen besides rounds and hello, this instance knows since ", when(since), "; ", link("overview", "the overview"), " has the reasons."),
      urgent.length > 0 && h("section", { class: "warnings", "data-key": "warnings", "aria-labelledby": "warnings" },
        h("h2", { id: "warnings" }, "Needs attention"),
        h("ul", null, urgent.map((row) => h("li", null, rounds(row), ": ", sentence(row.advice))))),
      table({
        caption: "Servers, those that need attention first",
        empty: "No server yet: the configuration names none, and no round has come.",
        rows,
        id: (row) => row.server,
        columns: [
          { name: "Server", cell: (row) => [rounds(row), row.attention && h("span", { class: "tag" }, row.attention), declares && !row.declared && h("span", { class: "tag" }, "not declared")] },
          { name: "Last seen", cell: (row) => when(row.last_seen_at) },
          { name: "Last round", important: true, cell: (row) => when(row.last_round_at) },
          { name: "Today (UTC)", number: true, cell: (row) => count(row.rounds_today) },
          { name: "24 hours", number: true, important: true, cell: (row) => count(row.rounds_24_hours) },
          { name: "Refused", number: true, important: true, cell: (row) => count(row.refused_24_hours) },
          { name: "Bias of team A", number: true, cell: (row) => (row.bias === null ? NOTHING : `${points(row.bias)} ± ${fixed(row.standard_error === null ? null : row.standard_error * 100, 1)}`) },
          { name: "Policy", cell: (row) => row.policy },
          { name: "Secret", cell: ({ secret }) => (secret ? [secret.name ? `${secret.name} ` : "", h("code", null, secret.fingerprint), " ", when(secret.used_at)] : NOTHING) },
          { name: "Plugin", cell: (row) => row.plugin ?? NOTHING },
        ],
      }),
      h("p", { class: "explanation" }, `The service works with plugins from ${plugin.least} on, and came with ${plugin.latest}.`, more > 0 && ` ${plural(more, "more server")} ${more === 1 ? "is" : "are"} not shown.`)),
  };
}
