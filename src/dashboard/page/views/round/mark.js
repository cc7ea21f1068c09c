// Forms to void or restore a round and to correct its winner. Each asks for a reason and a confirmation, then waits for
// the end of the change.

import { Away, get, send } from "../../api.js";
import { confirm } from "../../dialog.js";
import { h } from "../../dom.js";
import { outcome } from "../../format.js";
import { reporting, say } from "../../messages.js";
import { field, problem, reasonField } from "../panels.js";
import { waitFor } from "../waiting.js";

/** The API paths of the rounds that are being changed. */
const inProgress = new Set();

export function markButton(found, path, show) {
  const voiding = found.void === null;
  const busy = inProgress.has(path) || Boolean(found.in_progress);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const reason = form.elements.reason.value.trim();
    const agreed = await confirm({
      title: voiding ? "Void this round?" : "Restore this round?",
      text: voiding
        ? `RBS recalculates the ratings of this round's ${found.players.length} players, and of everybody who played with or against them since, without this round.`
        : "RBS puts this round back into the ratings and recalculates the ratings of its players, and of everybody who has played with or against them since.",
      changes: [[`Round ${found.round_id}`, voiding ? "counts" : "does not count", voiding ? "does not count" : "counts"]],
      reason,
      yes: voiding ? "Void the round" : "Restore the round",
      dangerous: voiding,
    });
    if (agreed) {
      await make(form, path, show, {
        name: voiding ? "void" : "unvoid",
        request: { reason },
        isDone: (now) => (now.void !== null) === voiding,
        title: voiding ? "The round is being voided" : "The round is being restored",
        done: voiding ? "The round is void. All ratings are as if it had not been played." : "The round counts again.",
      });
    }
  };
  return h("form", { class: "change", onsubmit: submit, "data-key": voiding ? "void" : "unvoid" },
    reasonField("mark", voiding ? "a cheater on team A" : "voided by mistake"),
    h("button", { type: "submit", class: voiding ? "button danger" : "button primary", disabled: busy }, busy ? "In progress…" : voiding ? "Void the round…" : "Restore the round…"),
    problem());
}

/** The form that corrects a wrong winner. */
export function correctForm(found, path, show) {
  const busy = inProgress.has(path) || Boolean(found.in_progress);
  const others = ["a", "b", "draw"].filter((winner) => winner !== found.winner);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const winner = form.elements.winner.value;
    const reason = form.elements.reason.value.trim();
    const agreed = await confirm({
      title: "Correct the winner?",
      text: `RBS recalculates the ratings of this round's ${found.players.length} players, and of everybody who played with or against them since, with the corrected winner.`,
      changes: [["Outcome", outcome(found.winner), outcome(winner)]],
      reason,
      yes: "Correct the winner",
      dangerous: true,
    });
    if (agreed) {
      await make(form, path, show, {
        name: "correct",
        request: { winner, reason },
        isDone: (now) => now.winner === winner,
        title: "The winner is being corrected",
        done: "The winner is corrected and all ratings are up to date.",
      });
    }
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Correct the winner" },
    field("correct-winner", "Actual result", h("select", { id: "correct-winner", name: "winner" }, others.map((winner) => h("option", { value: winner }, outcome(winner))))),
    reasonField("correct", "the plugin mixed up the teams", "Why?"),
    h("button", { type: "submit", class: "button danger", disabled: busy }, "Correct the winner…"),
    problem());
}

/** Sends the change `name` and shows its progress until it is done. */
async function make(form, path, show, { name, request, isDone, title, done }) {
  const begunAt = location.hash;
  inProgress.add(path);
  await show();
  await reporting(form.querySelector(".field-error"), async () => {
    const { status } = await send("POST", `${path}/${name}`, {}, request);
    if (status === 202) {
      await waitFor(title, async () => {
        const now = await get(path);
        if (!isDone(now) && now.in_progress === null) {
          throw new Away("the change was not made: an admin stopped it, or RBS was shut down. Try again");
        }
        return { done: isDone(now), progress: now.progress };
      });
    }
    say(done);
  }).finally(() => inProgress.delete(path));
  // Do nothing if the user has moved to another page.
  if (location.hash === begunAt) {
    await show();
    document.getElementById("main").focus({ preventScroll: true });
  }
}
