// What a player is called: an admin's alias, and the forgetting of names.

import { send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { attempt, path, problem, reasonField } from "./player_change.js";

export function naming(found, pool, show) {
  return h("section", { class: "panel wide actions", "data-key": "naming" },
    h("h2", null, "What this player is called"),
    h("p", { class: "explanation" }, "In all pools. Each change stands in the audit trail with its reason and without any name; no rating moves."),
    h("div", { class: "changes-side" }, !found.forgotten && alias(found, pool, show), forget(found, pool, show)));
}

function alias(found, pool, show) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const after = form.elements.alias.value.trim() || null;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, after ? "The alias is given." : "The alias is gone.", async (now) => {
      const agreed = await confirm({
        title: after ? "Give this alias?" : "Take the alias back?",
        text: `Player ${now.name ?? now.id}, in all pools.`,
        changes: [["Alias", now.alias ?? "none", after ?? "none"]],
        reason,
        yes: after ? "Give the alias" : "Take it back",
      });
      return agreed && send("POST", `${path(found)}/alias`, { pool: pool.pool }, { alias: after, reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Alias" },
    h("h3", null, "Alias"),
    h("p", { class: "muted" }, "It stands above the name that game servers send."),
    h("div", { class: "field" },
      h("label", { for: "alias" }, "Alias; empty for none"),
      h("input", { id: "alias", name: "alias", type: "text", maxlength: 64, autocomplete: "off", spellcheck: "false", value: found.alias ?? "" })),
    reasonField("alias", "known by it for years"),
    h("button", { type: "submit", class: "button primary" }, "Change the alias…"),
    problem());
}

/** Forgets, or takes that back. */
function forget(found, pool, show) {
  const forgotten = !found.forgotten;
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const hide = forgotten && form.elements.hide.checked;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, forgotten ? "The player is forgotten." : "Names are kept again.", async (now) => {
      const agreed = await confirm({
        title: forgotten ? "Forget this player?" : "Keep names again?",
        text: forgotten
          ? "Name and alias are deleted in all pools, and no name is kept from then on. Rounds and ratings stay. The names cannot be brought back."
          : "The next name that a game server sends is kept, and the id is shown. The names from before stay gone.",
        changes: forgotten
          ? [["Name", now.name ?? "none", hide ? "a number" : "none"], ["The id in lists", now.id_hidden ? "hidden" : "shown", hide ? "hidden" : "shown"]]
          : [["Names", "not kept", "kept"]],
        reason,
        yes: forgotten ? "Forget the player" : "Keep names",
        dangerous: forgotten,
      });
      return agreed && send("POST", `${path(found)}/forget`, { pool: pool.pool }, { forgotten, hide_id: hide, reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": forgotten ? "Forget" : "Keep names again", "data-key": `forget ${forgotten}` },
    h("h3", null, forgotten ? "Forget" : "Forgotten"),
    h("p", { class: "muted" }, forgotten
      ? "For somebody who asks to be: deletes name and alias, and keeps none from then on. Rounds and ratings stay."
      : "No name is kept of this player."),
    forgotten && h("div", { class: "checks" }, h("label", null, h("input", { type: "checkbox", name: "hide" }), " Hide the id too: a number stands in its place")),
    reasonField("forget", forgotten ? "asked to be forgotten" : "asked for it"),
    h("button", { type: "submit", class: forgotten ? "button danger" : "button primary" }, forgotten ? "Forget the player…" : "Keep names again…"),
    problem());
}
