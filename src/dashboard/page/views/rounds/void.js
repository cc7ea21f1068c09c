// The form that voids all rounds of a server or a secret in a period. A dry run first shows which ratings change.

import { Away, get, send } from "../../api.js";
import { confirm, movedRatings } from "../../dialog.js";
import { h } from "../../dom.js";
import { moment, plural } from "../../format.js";
import { reporting, say } from "../../messages.js";
import { field, problem, reasonField } from "../panels.js";
import { waitFor } from "../waiting.js";

export function voidRounds({ server, secret }, pool, { from, to }, show) {
  const whose = [server, secret && `secret ${secret}`].filter(Boolean).join(" with ");
  // For a stolen secret use the time of arrival: the thief can forge the time when a round ended.
  const [what, since, until] = secret ? ["Received", "received_since", "received_until"] : ["Ended", "since", "until"];
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = form.querySelector(".field-error");
    const { elements } = form;
    const time = (name) => (elements[name].value === "" ? null : new Date(elements[name].value).toISOString());
    const request = { server: server || null, secret: secret || null, pool: server ? pool.pool : null, [since]: time("since"), [until]: time("until"), reason: elements.reason.value.trim() };
    await reporting(error, async () => {
      const { answer: would } = await send("POST", "/v1/admin/rounds/void", {}, { ...request, dry_run: true });
      if (would.rounds === 0 && would.names === 0) {
        error.textContent = `No counted round of ${whose} ${secret ? "was received" : "ended"} in this period. Check the times.`;
        return;
      }
      const those = `${what} from ${moment(request[since])} ${request[until] ? `to ${moment(request[until])}` : "until now"}`;
      if (await agreed(would, whose, those, request.reason) && await make(request)) {
        say(`${plural(would.rounds, "round")} of ${whose} voided.`);
        form.reset();
        await show();
      }
    });
  };
  return h("details", { class: "panel wide actions", "data-key": `void ${whose}` },
    h("summary", null, `Void rounds of ${whose}`),
    h("p", { class: "explanation" }, `Voids all rounds of ${whose} in a period. RBS recalculates all ratings as if these rounds had never been played. You first see how many rounds this affects and whose ratings change most. You can restore each round later.${server ? "" : " This covers all pools, and also removes the player names that were sent with this secret in the period."}`),
    h("form", { class: "change", onsubmit: submit, "aria-label": `Void rounds of ${whose}` },
      field("void-since", `${what} after`, { type: "datetime-local", value: from, required: true }),
      field("void-until", `${what} before`, { type: "datetime-local", value: to }),
      reasonField("void", "the plugin mixed up the teams"),
      h("button", { type: "submit", class: "button danger" }, "Preview…"),
      problem()));
}

function agreed(would, whose, those, reason) {
  const moves = would.pools.map(({ pool, moved }) => (moved === null
    ? `The effect on the ratings in pool ${pool} takes too long to preview.`
    : `In pool ${pool} the ratings of ${plural(moved.players, "player")} change, by ${plural(moved.points, "point")} in total.`));
  return confirm({
    title: `Void ${plural(would.rounds, "round")} of ${whose}?`,
    text: [`${those}.`, would.names > 0 && `${plural(would.names, "player name")} will be removed.`, ...moves].filter(Boolean).join(" "),
    changes: would.pools.flatMap(({ moved }) => movedRatings(moved)),
    reason,
    yes: "Void the rounds",
    dangerous: true,
  });
}

/** Sends the request and waits until the rounds are voided. */
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
    throw new Away(`${plural(left.rounds, "round")} still ${left.rounds === 1 ? "counts" : "count"}: an admin stopped the change, RBS was shut down, or new rounds arrived. Try again`);
  }
  return true;
}
