// What is under way: a void or a rebuild, how far it is and how it is called off; and imports.

import { Failed, send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { lasting, percent, plural, sentence } from "../format.js";
import { say } from "../messages.js";
import { roundLink } from "./links.js";

const ACTIONS = { void: "voided", unvoid: "restored", correct: "corrected" };

/** What is under way in the pool, as a notice; nothing where nothing is. */
export function rebuildNotice({ pool, rebuild }, show) {
  if (rebuild === null) {
    return null;
  }
  const { round, cancelled, progress } = rebuild;
  return h("section", { class: "notice rebuild", "data-key": "rebuild", "aria-label": "Under way" },
    h("p", null,
      h("strong", null, "The ratings are being computed again. "),
      round && ["The round ", roundLink(round, pool), round.rounds > 1 && ` and ${plural(round.rounds - 1, "later one")}`, ` of ${round.server} ${round.rounds > 1 ? "are" : "is"} being ${ACTIONS[round.action]}. `],
      cancelled ? "It was called off, and every rating stays as it is." : progress && far(progress, "of the log is computed")),
    progress && bar(progress),
    !cancelled && h("div", null,
      h("button", { type: "button", class: "button danger", onclick: (event) => cancel(event.target, pool, show) }, "Call it off…"),
      h("p", { class: "field-error", role: "alert", "data-keep": true })));
}

/** The imports under way, each as a notice. */
export function importNotices({ imports }) {
  return imports.map(({ source, progress }) => h("section", { class: "notice rebuild", "data-key": `import ${source}`, "aria-label": "Import under way" },
    h("p", null, h("strong", null, "Rounds are being imported "), `from ${source}. `, progress && far(progress, "is read")),
    progress && bar(progress)));
}

function bar({ done, total }) {
  return h("progress", { value: done, max: total, "aria-label": "Progress" });
}

/** How far something is, in words. */
export function far({ done, total, remaining_seconds: seconds }, what) {
  const share = `${percent(done / total)} ${what}`;
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
