// First steps for a pool without rounds.

import { h } from "../../dom.js";
import { plural } from "../../format.js";
import { address } from "../../router.js";

/** Returns the panel for the `pool` without rounds. If other `pools` have rounds, it only links to them. */
export function onboarding({ pool, servers }, pools) {
  const played = pools.filter(({ rounds }) => rounds > 0);
  if (played.length > 0) {
    const links = played.map((other) => [h("a", { href: address("overview", [], { pool: other.pool }) }, other.pool), ` (${plural(other.rounds, "round")})`]);
    return h("p", { "data-key": "onboarding" }, `The pool ${pool} has no rounds yet. Pools with rounds: `, links.flatMap((link, place) => [place > 0 && ", ", ...link]), ".");
  }
  const round = {
    ...(pool === "default" ? {} : { pool }), server: servers[0] ?? "server-1", round_id: "first", winner: "a",
    team_a: ["76561197960265729"], team_b: ["76561197960265730"],
  };
  const line = `curl ${location.origin}/v1/update -H "Authorization: Bearer $RBS_SECRET" -H "Content-Type: application/json" -d '${JSON.stringify(round)}'`;
  return h("section", { class: "panel", "data-key": "onboarding" },
    h("h2", null, "Connect your first server"),
    h("p", null, "This pool has no rounds yet. Once a server reports a round, this page shows how good the predictions are, who plays, and what needs attention."),
    h("ol", { class: "first-steps" },
      h("li", null, "On a game server with SourceMod, install the plugin, which is part of every RBS release. Set its address to ", h("code", null, location.origin), " and its secret to the game server secret of RBS. The plugin then reports rounds and scrambles teams by itself."),
      h("li", null, "Any other program sends a request at the end of each round. If the environment variable ", h("code", null, "RBS_SECRET"), " holds the secret, this command reports a round of two players. The round counts until you void it on the round's page:",
        h("pre", { tabindex: 0, class: "line" }, line)),
      h("li", null, h("a", { href: "/docs" }, "The API reference"), " describes every request.")),
    h("p", { class: "explanation" }, "RBS needs 500 rounds to judge its predictions."));
}
