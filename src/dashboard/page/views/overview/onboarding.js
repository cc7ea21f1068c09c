// What to do with a pool that has no round yet.

import { h } from "../../dom.js";

/** `pool`: the pool as the service lists it. */
export function onboarding({ pool, servers }) {
  const round = {
    ...(pool === "default" ? {} : { pool }), server: servers[0] ?? "server-1", round_id: "first", winner: "a",
    team_a: ["76561197960265729"], team_b: ["76561197960265730"],
  };
  const line = `curl ${location.origin}/v1/update -H "Authorization: Bearer $RBS_SECRET" -H "Content-Type: application/json" -d '${JSON.stringify(round)}'`;
  return h("section", { class: "panel", "data-key": "onboarding" },
    h("h2", null, "Connect your first server"),
    h("p", null, "This pool has no round yet. As soon as a server reports one, this page shows how good the predictions are, who plays, and what needs attention."),
    h("ol", { class: "first-steps" },
      h("li", null, "A game server with SourceMod needs the plugin, which every release of RBS has. Give it the address ", h("code", null, location.origin), " and the secret of the service; it reports rounds and scrambles teams by itself."),
      h("li", null, "Anything else reports a round when it ends. With the secret in ", h("code", null, "RBS_SECRET"), ", this line reports one of two players, which counts until you void it on its page:",
        h("pre", { tabindex: 0, class: "line" }, line)),
      h("li", null, h("a", { href: "/docs" }, "The description of the API"), " has all that can be sent and asked.")),
    h("p", { class: "explanation" }, "Whether the predictions are good can be said after 500 rounds."));
}
