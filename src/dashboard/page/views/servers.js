// The game servers of a pool, those that need attention first.

import { each, get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, plural, points, sentence, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";

/** What servers lose just now, for the top of the overview. */
export function serverNotices({ servers: rows }, pool) {
  const losing = rows.filter(({ attention }) => attention === "refused");
  return losing.length > 0 && h("section", { class: "warnings", "data-key": "servers", "aria-labelledby": "losing" },
    h("h2", { id: "losing" }, "Rounds are lost"),
    h("ul", null, losing.map((row) => h("li", null, h("a", { href: address("servers", [], { pool }) }, row.server), ": ", sentence(row.advice)))));
}

export async function servers({ pool, query }) {
  const [known, quality] = await each([
    get("/v1/admin/servers", { pool: pool.pool }),
    get("/v1/admin/quality", { pool: pool.pool }),
  ]);
  if (known.error) {
    throw known.error;
  }
  const { since, servers: rows, not_listed: more, plugin } = known.value;
  const departures = (quality.value?.departures ?? []).filter((one) => one.server !== null);
  const departs = new Set(departures.map((one) => one.server));
  const link = (view, text, rest) => h("a", { href: address(view, [], { pool: query.pool, ...rest }) }, text);
  const rounds = ({ server }) => link("rounds", server, { server });
  const urgent = rows.filter((row) => row.attention);
  const declares = rows.some((row) => row.declared);
  return {
    title: "Servers",
    tree: h("div", { class: "view" },
      h("h1", null, "Servers ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "Each leads to its rounds. Today and 24 hours count rounds, in whole hours. What was refused in 24 hours, and what was seen besides rounds and hello, this instance knows since ", when(since), "; ", link("overview", "the overview"), " has the reasons."),
      urgent.length + departures.length > 0 && h("section", { class: "warnings", "data-key": "warnings", "aria-labelledby": "warnings" },
        h("h2", { id: "warnings" }, "Needs attention"),
        h("ul", null, urgent.map((row) => h("li", null, rounds(row), ": ", sentence(row.advice))), departures.map((one) => h("li", null, rounds(one), ": ", sentence(one.say))))),
      table({
        caption: "Servers, those that need attention first",
        empty: "No server yet: the configuration names none, and no round has come.",
        rows,
        id: (row) => row.server,
        columns: [
          { name: "Server", cell: (row) => [rounds(row), row.attention && h("span", { class: "tag" }, row.attention), departs.has(row.server) && h("span", { class: "tag" }, "departs"), declares && !row.declared && h("span", { class: "tag" }, "not declared")] },
          { name: "Last seen", cell: (row) => when(row.last_seen_at) },
          { name: "Last round", important: true, cell: (row) => when(row.last_round_at) },
          { name: "Today (UTC)", number: true, cell: (row) => count(row.rounds_today) },
          { name: "24 hours", number: true, important: true, cell: (row) => count(row.rounds_24_hours) },
          { name: "Refused", number: true, important: true, cell: (row) => count(row.refused_24_hours) },
          { name: "Bias of team A", number: true, cell: (row) => (row.standard_error === null ? NOTHING : `${points(row.bias)} ± ${fixed(row.standard_error * 100, 1)}`) },
          { name: "Policy", cell: (row) => row.policy },
          { name: "Secret", cell: ({ secret }) => (secret ? [secret.name ? `${secret.name} ` : "", h("code", null, secret.fingerprint), " ", when(secret.used_at)] : NOTHING) },
          { name: "Plugin", cell: (row) => row.plugin ?? NOTHING },
        ],
      }),
      h("p", { class: "explanation" }, `The service works with plugins from ${plugin.least} on, and came with ${plugin.latest}.`, more > 0 && ` ${plural(more, "more server")} ${more === 1 ? "is" : "are"} not shown.`)),
  };
}
