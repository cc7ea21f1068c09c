// Forms for a player's alias and for deleting a player's names.

import { send } from "../../api.js";
import { confirm } from "../../dialog.js";
import { h } from "../../dom.js";
import { field, problem, reasonField } from "../panels.js";
import { attempt, path } from "./change.js";

export function naming(found, pool, show) {
  return h("section", { class: "panel wide actions", "data-key": "naming" },
    h("h2", null, "Name"),
    h("p", { class: "explanation" }, "These changes apply to all pools and do not affect ratings. The audit trail records the reason, but no names."),
    h("div", { class: "changes-side" }, !found.forgotten && alias(found, pool, show), forget(found, pool, show)));
}

function alias(found, pool, show) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const after = form.elements.alias.value.trim() || null;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, after ? "The alias is set." : "The alias is removed.", async (now) => {
      const agreed = await confirm({
        title: after ? "Set this alias?" : "Remove the alias?",
        text: `Player ${now.name ?? now.id}, in all pools.`,
        changes: [["Alias", now.alias ?? "none", after ?? "none"]],
        reason,
        yes: after ? "Set the alias" : "Remove the alias",
      });
      return agreed && send("POST", `${path(found)}/alias`, { pool: pool.pool }, { alias: after, reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Alias" },
    h("h3", null, "Alias"),
    h("p", { class: "muted" }, "Shown instead of the name that game servers send."),
    field("alias", "Alias (leave empty to remove it)", { maxlength: 64, spellcheck: "false", value: found.alias ?? "" }),
    reasonField("alias", "known by this name for years"),
    h("button", { type: "submit", class: "button primary" }, "Change the alias…"),
    problem());
}

/** The form that forgets a player's names, or allows names again. */
function forget(found, pool, show) {
  const forgotten = !found.forgotten;
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const hide = forgotten && form.elements.hide.checked;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, forgotten ? "The player's names are deleted." : "Names are stored again.", async (now) => {
      const agreed = await confirm({
        title: forgotten ? "Forget this player's names?" : "Store names again?",
        text: forgotten
          ? "RBS deletes the name and alias in all pools and stores no name from now on. This cannot be undone. Rounds and ratings stay."
          : "RBS shows the ID until a game server sends a name again. Deleted names do not come back.",
        changes: forgotten
          ? [["Name", now.name ?? "none", hide ? "a number" : "none"], ["ID in lists", now.id_hidden ? "hidden" : "shown", hide ? "hidden" : "shown"]]
          : [["Names", "not stored", "stored"]],
        reason,
        yes: forgotten ? "Forget the player" : "Store names",
        dangerous: forgotten,
      });
      return agreed && send("POST", `${path(found)}/forget`, { pool: pool.pool }, { forgotten, hide_id: hide, reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": forgotten ? "Forget" : "Store names again", "data-key": `forget ${forgotten}` },
    h("h3", null, forgotten ? "Forget" : "Forgotten"),
    h("p", { class: "muted" }, forgotten
      ? "For players who ask for it: deletes the name and alias and stores none from then on. Rounds and ratings stay."
      : "RBS stores no name of this player."),
    forgotten && h("div", { class: "checks" }, h("label", null, h("input", { type: "checkbox", name: "hide" }), " Hide the ID too and show a number instead")),
    reasonField("forget", forgotten ? "asked to be forgotten" : "asked for it"),
    h("button", { type: "submit", class: forgotten ? "button danger" : "button primary" }, forgotten ? "Forget the player…" : "Store names again…"),
    problem());
}
