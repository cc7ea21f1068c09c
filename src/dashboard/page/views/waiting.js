// A progress dialog for long-running changes, which continue in the background.

import { Away } from "../api.js";
import { h } from "../dom.js";
import { far } from "./rebuild.js";

/** Polling interval in milliseconds. */
const LOOK = 1000;
/** Number of polls before giving up. */
const MOST_LOOKS = 3600;

/**
 * Shows `title` and the progress until `look`, which returns `{done, progress}`, reports that the change is done. If the
 * user closes the dialog, the change continues and the page shows its progress.
 */
export async function waitFor(title, look) {
  const text = h("p", { role: "status" }, "All ratings are being recalculated. New rounds are still counted.");
  const bar = h("progress", { "aria-label": "Progress" });
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, title),
    text,
    bar,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Continue in background")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  try {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK);
      });
      const { done, progress } = await look();
      if (done) {
        return;
      }
      if (progress !== null) {
        text.textContent = far(progress, "of the log is done");
        bar.max = progress.total;
        bar.value = progress.done;
      }
    }
    throw new Away("the change is not done after an hour. Check this page again later, and look for errors in the RBS log");
  } finally {
    dialog.close();
  }
}
