// The game servers of a pool, those that need attention first.

import { each, get } from "../api.js";
import { h } from "../dom.js";
import { count, fixed, NOTHING, plural, points, sentence, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { warningSection } from "./panels.js";

/** A warning for the overview about servers whose rounds are being refused. */
export function serverNotices({ servers: rows }, pool) {
  const losing = rows.filter(({ attention }) => attention === "refused");
  return warningSection("losing", "Rounds are being refused", losing.map((row) => [h("a", { href: address("servers", [], { pool }) }, row.server), ": ", sentence(row.advice)]));
}

export async function servers({ pool, query }) {
  const [known, quality] = await each([
    get("/v1/admin/servers", { pool: pool.pool }),
    get("/v1/admin/quality", { pool: pool.pool }),
  ]);
  if (known.error) {
    throw known.error;
  }
  const { servers: rows, not_listed: more, plugin } = known.value;
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
      h("p", { class: "explanation" }, "Click a server to see its rounds. \"Rounds\" and \"Refused\" cover the current hour and the 23 hours before. The ", link("overview", "overview"), " shows why requests were refused."),
      warningSection("warnings", "Needs attention", [...urgent, ...departures].map((one) => [rounds(one), ": ", sentence(one.advice ?? one.message)])),
      table({
        caption: "Servers, those that need attention first",
        empty: "No servers yet. A server appears here when the configuration names it or when it reports a round.",
        rows,
        id: (row) => row.server,
        columns: [
          { name: "Server", cell: (row) => [rounds(row), " ", h("a", { class: "muted", href: address("live", [row.server], { pool: row.pool }) }, "Live"), row.attention && h("span", { class: "tag" }, row.attention), departs.has(row.server) && h("span", { class: "tag" }, "biased"), declares && !row.declared && h("span", { class: "tag" }, "not declared")] },
          { name: "Last seen", cell: (row) => when(row.last_seen_at) },
          { name: "Last round", important: true, cell: (row) => when(row.last_round_at) },
          { name: "Rounds", number: true, important: true, cell: (row) => count(row.rounds_24_hours) },
          { name: "Refused", number: true, important: true, cell: (row) => count(row.refused_24_hours) },
          { name: "Bias of team A", number: true, cell: (row) => (row.standard_error === null ? NOTHING : `${points(row.bias)} ± ${fixed(row.standard_error * 100, 1)}`) },
          { name: "Policy", cell: (row) => row.policy },
          { name: "Secret", cell: ({ secret }) => (secret ? [secret.name ? `${secret.name} ` : "", h("code", null, secret.fingerprint), " ", when(secret.used_at)] : NOTHING) },
          { name: "Plugin", cell: (row) => row.plugin ?? NOTHING },
        ],
      }),
      h("p", { class: "explanation" }, `RBS supports plugin version ${plugin.least} and later; the newest version is ${plugin.latest}.`, more > 0 && ` ${plural(more, "more server")} ${more === 1 ? "is" : "are"} not shown.`)),
  };
}
