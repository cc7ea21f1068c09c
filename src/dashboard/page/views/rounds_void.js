// Voids every round of a server or a secret in some time: with a dry run that says whose ratings move, and to its end.

import { Away, Failed, get, send } from "../api.js";
import { confirm, movedRatings } from "../dialog.js";
import { h } from "../dom.js";
import { moment, plural, sentence } from "../format.js";
import { say } from "../messages.js";
import { waitFor } from "./waiting.js";

export function voidRounds({ server, secret }, pool, { from, to }, show) {
  const whose = [server, secret && `the secret ${secret}`].filter(Boolean).join(" with ");
  // Whoever has stolen a secret says when rounds ended, and not when they arrived.
  const [what, since, until] = secret ? ["Arrived", "received_since", "received_until"] : ["Ended", "since", "until"];
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = form.querySelector(".field-error");
    const { elements } = form;
    const time = (name) => (elements[name].value === "" ? null : new Date(elements[name].value).toISOString());
    const request = { server: server || null, secret: secret || null, pool: server ? pool.pool : null, [since]: time("since"), [until]: time("until"), reason: elements.reason.value.trim() };
    error.textContent = "";
    try {
      const { answer: would } = await send("POST", "/v1/admin/rounds/void", {}, { ...request, dry_run: true });
      if (would.rounds === 0 && would.names === 0) {
        error.textContent = `No round of ${whose} that counts ${what.toLowerCase()} in that time.`;
        return;
      }
      const those = `${what} from ${moment(request[since])} ${request[until] ? `to ${moment(request[until])}` : "on"}`;
      if (await agreed(would, whose, those, request.reason) && await make(request)) {
        say(`${plural(would.rounds, "round")} of ${whose} do not count any more.`);
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
  return h("details", { class: "panel wide actions", "data-key": `void ${whose}` },
    h("summary", null, `Void rounds of ${whose}`),
    h("p", { class: "explanation" }, `All rounds of ${whose} in that time count no longer, at one moment, and every rating becomes as if they had never been played. Before anything is done, you are shown how many they are and whose ratings move most. Each can be restored.${server ? "" : " The rounds of every pool are meant, and names of players that the secret set are taken back."}`),
    h("form", { class: "change", onsubmit: submit, "aria-label": `Void rounds of ${whose}` },
      when("since", `${what} from`, from, true),
      when("until", `${what} before`, to, false),
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

function agreed(would, whose, those, reason) {
  const moves = would.pools.map(({ pool, moved }) => (moved === null
    ? `Whose ratings in ${pool} that moves takes longer to compute than a question may take.`
    : `In ${pool} it moves the ratings of ${plural(moved.players, "player")}, by ${plural(moved.points, "point")} together.`));
  return confirm({
    title: `Void ${plural(would.rounds, "round")} of ${whose}?`,
    text: [`${those}.`, would.names > 0 && `${plural(would.names, "name")} of players are taken back.`, ...moves].filter(Boolean).join(" "),
    changes: would.pools.flatMap(({ moved }) => movedRatings(moved)),
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
    const each = await Promise.all([answer.pool, ...answer.others].map((pool) => get("/v1/admin/rebuild", { pool })));
    const running = each.map(({ rebuild }) => rebuild).find((rebuild) => rebuild !== null);
    return { done: running === undefined, progress: running?.progress ?? null };
  });
  const { answer: left } = await send("POST", "/v1/admin/rounds/void", {}, { ...request, dry_run: true });
  if (left.rounds > 0) {
    throw new Away(`${plural(left.rounds, "round")} still count: it was called off, undone by a stop of the service, or they came meanwhile`);
  }
  return true;
}
