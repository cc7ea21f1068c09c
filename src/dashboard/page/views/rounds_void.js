// Voids every round of a server in some time: with a dry run that says whose ratings move, and to its end.

import { Away, Failed, get, send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { count, moment, plural, sentence } from "../format.js";
import { say } from "../messages.js";
import { waitFor } from "./waiting.js";

export function voidRounds(server, pool, { from, to }, show) {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = form.querySelector(".field-error");
    const { elements } = form;
    const time = (name) => (elements[name].value === "" ? null : new Date(elements[name].value).toISOString());
    const request = { server, pool: pool.pool, since: time("since"), until: time("until"), reason: elements.reason.value.trim() };
    error.textContent = "";
    try {
      const { answer: would } = await send("POST", "/v1/admin/rounds/void", {}, { ...request, dry_run: true });
      if (would.rounds === 0) {
        error.textContent = `No round of ${server} that counts ended in that time.`;
        return;
      }
      if (await agreed(would, request) && await make(request)) {
        say(`${plural(would.rounds, "round")} of ${server} do not count any more.`);
        form.reset();
        await show();
      }
    } catch (failure) {
      if (!(failure instanceof Failed)) {
        throw failure;
      }
      error.textContent = sentence(failure.message);
    }
  };
  return h("details", { class: "panel wide actions", "data-key": `void ${server}` },
    h("summary", null, `Void rounds of ${server}`),
    h("p", { class: "explanation" }, "All rounds of the server that ended in that time count no longer, at one moment, and every rating becomes as if they had never been played. Before anything is done, you are shown how many they are and whose ratings move most. Each can be restored."),
    h("form", { class: "change", onsubmit: submit, "aria-label": `Void rounds of ${server}` },
      when("since", "Ended from", from, true),
      when("until", "Ended before", to, false),
      h("div", { class: "field" },
        h("label", { for: "void-reason" }, "Reason"),
        h("input", { id: "void-reason", name: "reason", type: "text", maxlength: 500, required: true, autocomplete: "off", placeholder: "the plugin mixed up the teams" })),
      h("button", { type: "submit", class: "button danger" }, "See what that would do…"),
      h("p", { class: "field-error", role: "alert", "data-keep": true })));
}

function when(name, label, value, required) {
  return h("div", { class: "field" },
    h("label", { for: `void-${name}` }, label),
    h("input", { id: `void-${name}`, name, type: "datetime-local", value, required }));
}

function agreed(would, { server, since, until, reason }) {
  const { moved } = would;
  return confirm({
    title: `Void ${plural(would.rounds, "round")} of ${server}?`,
    text: `Those that ended from ${moment(since)} ${until ? `to ${moment(until)}` : "on"}. ${moved === null
      ? "Whose ratings that moves takes longer to compute than a question may take."
      : `It moves the ratings of ${plural(moved.players, "player")}${moved.largest.length > 0 ? ", these most" : ""}.`}`,
    changes: (moved?.largest ?? []).map(({ id, before, after }) => [id, count(before), count(after)]),
    reason,
    yes: "Void them",
    dangerous: true,
  });
}

/** Sends it, and waits to its end. */
async function make(request) {
  const { status, answer } = await send("POST", "/v1/admin/rounds/void", {}, request);
  if (status !== 202) {
    return true;
  }
  await waitFor("The rounds are being voided", async () => {
    const { rebuild } = await get("/v1/admin/rebuild", { pool: answer.pool });
    return { done: rebuild === null, progress: rebuild?.progress ?? null };
  });
  const { answer: left } = await send("POST", "/v1/admin/rounds/void", {}, { ...request, dry_run: true });
  if (left.rounds > 0) {
    throw new Away(`${plural(left.rounds, "round")} still count: it was called off, undone by a stop of the service, or they came meanwhile`);
  }
  return true;
}
