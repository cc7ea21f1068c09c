// Voids a round, lets it count again, or corrects its winner: with a reason, after a question, and to its end.

import { Away, Failed, get, send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { outcome, sentence } from "../format.js";
import { say } from "../messages.js";
import { waitFor } from "./waiting.js";

/** The paths of the rounds that are being changed. */
const underWay = new Set();

export function markButton(found, path, show) {
  const voiding = found.void === null;
  const busy = underWay.has(path) || Boolean(found.under_way);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const reason = form.elements.reason.value.trim();
    const agreed = await confirm({
      title: voiding ? "Void this round?" : "Let this round count again?",
      text: voiding
        ? `Its ${found.players.length} rated players and everybody who met them since are computed again without it.`
        : "Everybody in it, and everybody who met them since, is computed again with it.",
      changes: [[`Round ${found.round_id}`, voiding ? "counts" : "does not count", voiding ? "does not count" : "counts"]],
      reason,
      yes: voiding ? "Void the round" : "Let it count",
      dangerous: voiding,
    });
    if (agreed) {
      await make(form, path, show, {
        name: voiding ? "void" : "unvoid",
        request: { reason },
        isDone: (now) => (now.void !== null) === voiding,
        title: voiding ? "The round is being voided" : "The round is being restored",
        done: voiding ? "The round is void, and every rating is as if it had not been played." : "The round counts again.",
      });
    }
  };
  return h("form", { class: "change", onsubmit: submit, "data-key": voiding ? "void" : "unvoid" },
    h("div", { class: "field" },
      h("label", { for: "mark-reason" }, "Reason"),
      h("input", { id: "mark-reason", name: "reason", type: "text", maxlength: 500, required: true, autocomplete: "off", placeholder: voiding ? "a cheater on team A" : "voided by mistake" })),
    h("button", { type: "submit", class: voiding ? "button danger" : "button primary", disabled: busy }, busy ? "Under way…" : voiding ? "Void the round…" : "Let it count again…"),
    h("p", { class: "field-error", role: "alert", "data-keep": true }));
}

/** A form by which a wrong winner is put right. */
export function correctForm(found, path, show) {
  const busy = underWay.has(path) || Boolean(found.under_way);
  const others = ["a", "b", "draw"].filter((winner) => winner !== found.winner);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const winner = form.elements.winner.value;
    const reason = form.elements.reason.value.trim();
    const agreed = await confirm({
      title: "Correct the winner?",
      text: `Its ${found.players.length} rated players and everybody who met them since are computed again with it.`,
      changes: [["Outcome", outcome(found.winner), outcome(winner)]],
      reason,
      yes: "Correct it",
      dangerous: true,
    });
    if (agreed) {
      await make(form, path, show, {
        name: "correct",
        request: { winner, reason },
        isDone: (now) => now.winner === winner,
        title: "The winner is being corrected",
        done: "The winner is corrected, and every rating follows.",
      });
    }
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Correct the winner" },
    h("div", { class: "field" },
      h("label", { for: "correct-winner" }, "How it ended"),
      h("select", { id: "correct-winner", name: "winner" }, others.map((winner) => h("option", { value: winner }, outcome(winner))))),
    h("div", { class: "field" },
      h("label", { for: "correct-reason" }, "Why"),
      h("input", { id: "correct-reason", name: "reason", type: "text", maxlength: 500, required: true, autocomplete: "off", placeholder: "the plugin mixed up the teams" })),
    h("button", { type: "submit", class: "button danger", disabled: busy }, "Correct the winner…"),
    h("p", { class: "field-error", role: "alert", "data-keep": true }));
}

/** Makes the change `name` of the round, and shows how far it is to its end. */
async function make(form, path, show, { name, request, isDone, title, done }) {
  const error = form.querySelector(".field-error");
  const begunAt = location.hash;
  error.textContent = "";
  underWay.add(path);
  await show();
  try {
    const { status } = await send("POST", `${path}/${name}`, {}, request);
    if (status === 202) {
      await waitFor(title, async () => {
        const now = await get(path);
        if (!isDone(now) && now.under_way === null) {
          throw new Away("it was called off, or undone by a stop of the service; send it again if it is still to be done");
        }
        return { done: isDone(now), progress: now.progress };
      });
    }
    say(done);
  } catch (failure) {
    if (!(failure instanceof Failed)) {
      throw failure;
    }
    error.textContent = sentence(failure.message);
  } finally {
    underWay.delete(path);
    // Somebody who has gone elsewhere meanwhile is left there.
    if (location.hash === begunAt) {
      await show();
      document.getElementById("main").focus({ preventScroll: true });
    }
  }
}
