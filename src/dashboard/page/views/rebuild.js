// A void or a rebuild that is under way: what it is, how far it is, and how it is called off.

import { Failed, send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { lasting, percent, sentence } from "../format.js";
import { say } from "../messages.js";
import { roundLink } from "./links.js";

/** What is under way in the pool, as a notice; nothing where nothing is. */
export function rebuildNotice({ pool, rebuild }, show) {
  if (rebuild === null) {
    return null;
  }
  const { round, cancelled, progress } = rebuild;
  return h("section", { class: "notice rebuild", "data-key": "rebuild", "aria-label": "Under way" },
    h("p", null,
      h("strong", null, "The ratings are being computed again. "),
      round && ["The round ", roundLink(round, pool), ` of ${round.server} is being ${round.action === "void" ? "voided" : "restored"}. `],
      cancelled ? "It was called off, and every rating stays as it is." : progress && far(progress)),
    progress && h("progress", { value: progress.done, max: progress.total, "aria-label": "Computed" }),
    !cancelled && h("div", null,
      h("button", { type: "button", class: "button danger", onclick: (event) => cancel(event.target, pool, show) }, "Call it off…"),
      h("p", { class: "field-error", role: "alert", "data-keep": true })));
}

function far({ done, total, remaining_seconds: seconds }) {
  const share = `${percent(done / total)} of the log is computed`;
  return seconds === null ? `${share}.` : `${share}, about ${lasting(seconds)} to go.`;
}

async function cancel(button, pool, show) {
  const error = button.parentElement.querySelector(".field-error");
  error.textContent = "";
  const agreed = await confirm({
    title: "Call it off?",
    text: "Every rating stays as it is. What has been computed is deleted, and is computed again if it is asked for again.",
    changes: [],
    yes: "Call it off",
    dangerous: true,
  });
  if (!agreed) {
    return;
  }
  try {
    await send("DELETE", "/v1/admin/rebuild", { pool });
    say("It is called off; every rating stays as it is.");
  } catch (failure) {
    if (!(failure instanceof Failed)) {
      throw failure;
    }
    error.textContent = sentence(failure.message);
    return;
  }
  await show();
}
