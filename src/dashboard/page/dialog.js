// Dialogs.

import { h } from "./dom.js";
import { count } from "./format.js";

/**
 * Asks for confirmation and lists `changes` as [what, before, after]. Resolves to `true` only if the user presses the
 * button labelled `yes`.
 */
export function confirm({ title, text, changes, reason, yes, dangerous = false }) {
  return new Promise((resolve) => {
    const table = changes.length > 0 && h("table", { class: "changes" },
      h("caption", { class: "unseen" }, "Changes"),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Value"), h("th", { scope: "col", class: "number" }, "Before"), h("th", { scope: "col", class: "number" }, "After"))),
      h("tbody", null, changes.map(([what, before, after]) => h("tr", null,
        h("th", { scope: "row" }, what),
        h("td", { class: "number" }, before),
        h("td", { class: "number strong" }, after)))));
    const dialog = showDialog(title, text,
      table,
      reason && h("p", null, h("span", { class: "muted" }, "Reason: "), reason),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
        h("button", { type: "button", class: dangerous ? "button primary danger" : "button primary", onclick: () => dialog.close("yes") }, yes)));
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  });
}

/** Opens a dialog with a title, a text and `content`, which must have a button to close it. Returns the dialog. */
export function showDialog(title, text, ...content) {
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "dialog-title", "aria-describedby": "dialog-text" },
    h("h2", { id: "dialog-title" }, title),
    h("p", { id: "dialog-text" }, text),
    content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Returns the largest rating changes as rows of a confirmation, with the player's name or, without a name, the id. */
export function movedRatings(moved) {
  return (moved?.largest ?? []).map(({ id, name, before, after }) => [name ?? id, count(before), count(after)]);
}
