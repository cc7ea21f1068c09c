// Voids a round, or lets it count again: with a reason, after a question, and to its end.

import { Away, Failed, get, send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { sentence } from "../format.js";
import { say } from "../messages.js";

/** How often a change that is under way is looked at, in milliseconds. */
const LOOK = 1000;
/** How often, before it counts as lost. */
const MOST_LOOKS = 900;

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
      await mark(form, path, voiding, reason, show);
    }
  };
  return h("form", { class: "change", onsubmit: submit, "data-key": voiding ? "void" : "unvoid" },
    h("div", { class: "field" },
      h("label", { for: "mark-reason" }, "Reason"),
      h("input", { id: "mark-reason", name: "reason", type: "text", maxlength: 500, required: true, autocomplete: "off", placeholder: voiding ? "a cheater on team A" : "voided by mistake" })),
    h("button", { type: "submit", class: voiding ? "button danger" : "button primary", disabled: busy }, busy ? "Under way…" : voiding ? "Void the round…" : "Let it count again…"),
    h("p", { class: "field-error", role: "alert", "data-keep": true }));
}

async function mark(form, path, voiding, reason, show) {
  const error = form.querySelector(".field-error");
  const begunAt = location.hash;
  error.textContent = "";
  underWay.add(path);
  await show();
  try {
    const { status } = await send("POST", `${path}/${voiding ? "void" : "unvoid"}`, {}, { reason });
    if (status === 202) {
      say("Under way: every rating is being computed again while the service runs.");
      await until(path, voiding, () => location.hash === begunAt && show());
    }
    say(voiding ? "The round is void, and every rating is as if it had not been played." : "The round counts again.");
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

/** Waits until the round is as it was asked to be, and lets `look` show how far that is. */
async function until(path, voiding, look) {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK);
    });
    const now = await get(path);
    if ((now.void !== null) === voiding) {
      return;
    }
    if (now.under_way === null) {
      throw new Away("it was called off, or undone by a stop of the service; send it again if it is still to be done");
    }
    await look();
  }
  throw new Away("it is not done yet, and may never be; look at this page again later, and at the service's log");
}
