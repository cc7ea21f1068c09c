// A dialog that shows how far something is that takes long, while it goes on by itself.

import { Away } from "../api.js";
import { h } from "../dom.js";
import { far } from "./rebuild.js";

/** How often what is under way is looked at, in milliseconds. */
const LOOK = 1000;
/** How often, before it counts as lost. */
const MOST_LOOKS = 3600;

/**
 * Shows `title` and the progress until `look` answers that it is done; `look` answers `{done, progress}`. Whoever
 * closes the dialog is not kept waiting: it goes on, and the page shows how far it is.
 */
export async function waitFor(title, look) {
  const text = h("p", { role: "status" }, "Every rating is being computed again, while rounds go on being counted.");
  const bar = h("progress", { "aria-label": "Progress" });
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, title),
    text,
    bar,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Go on by yourself")));
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
        text.textContent = far(progress, "of the log is computed");
        bar.max = progress.total;
        bar.value = progress.done;
      }
    }
    throw new Away("it is not done yet, and may never be; look at this page again later, and at the service's log");
  } finally {
    dialog.close();
  }
}
