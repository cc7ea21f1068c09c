// Notices of running voids, rebuilds and imports, with progress and a cancel button.

import { send } from "../api.js";
import { confirm } from "../dialog.js";
import { h } from "../dom.js";
import { lasting, percent, plural } from "../format.js";
import { reporting, say } from "../messages.js";
import { roundLink } from "./links.js";
import { problem } from "./panels.js";

const ACTIONS = { void: "voided", unvoid: "restored", correct: "corrected" };

/** The notice of the pool's running rebuild, or `null`. */
export function rebuildNotice({ pool, rebuild }, show) {
  if (rebuild === null) {
    return null;
  }
  const { round, cancelled, progress } = rebuild;
  return h("section", { class: "notice rebuild", "data-key": "rebuild", "aria-label": "In progress" },
    h("p", null,
      h("strong", null, "The ratings are being recalculated. "),
      round && ["Round ", roundLink(round, pool), round.rounds > 1 && ` and ${plural(round.rounds - 1, "later round")}`, ` of ${round.server} ${round.rounds > 1 ? "are" : "is"} being ${ACTIONS[round.action]}. `],
      cancelled ? "The recalculation was stopped. All ratings stay as they are." : progress && far(progress, "of the log is done")),
    progress && bar(progress),
    !cancelled && h("div", null,
      h("button", { type: "button", class: "button danger", onclick: (event) => cancel(event.target, pool, show) }, "Stop recalculation…"),
      problem()));
}

/** The notices of the running imports. */
export function importNotices({ imports }) {
  return imports.map(({ source, progress }) => h("section", { class: "notice rebuild", "data-key": `import ${source}`, "aria-label": "Import in progress" },
    h("p", null, h("strong", null, "Rounds are being imported "), `from ${source}. `, progress && far(progress, "done")),
    progress && bar(progress)));
}

function bar({ done, total }) {
  return h("progress", { value: done, max: total, "aria-label": "Progress" });
}

/** Describes the progress and the remaining time. */
export function far({ done, total, remaining_seconds: seconds }, what) {
  const share = `${percent(done / total)} ${what}`;
  return seconds === null ? `${share}.` : `${share}, about ${lasting(seconds)} left.`;
}

async function cancel(button, pool, show) {
  const agreed = await confirm({
    title: "Stop the recalculation?",
    text: "All ratings stay as they are. The progress so far is lost; the next recalculation starts from the beginning.",
    changes: [],
    yes: "Stop the recalculation",
    dangerous: true,
  });
  const stopped = agreed && await reporting(button.parentElement.querySelector(".field-error"), () => send("DELETE", "/v1/admin/rebuild", { pool }));
  if (stopped) {
    say("The recalculation was stopped. All ratings stay as they are.");
    await show();
  }
}
