// Shared page components.

import { h } from "../dom.js";
import { sentence } from "../format.js";
import { narrow } from "../table.js";

/** Height of a page on a narrow screen, in pixels, above which its last panels are folded. */
const HIGHEST = 2400;
/** Number of warnings that a list shows at first. */
const WARNINGS = 2;

/** A card with a key figure, notes and an explanation, which a narrow screen folds. */
export function card(name, value, notes, explanation) {
  const text = h("p", { class: "explanation" }, explanation);
  return h("section", { class: "card", "data-key": name },
    h("h2", null, name),
    h("p", { class: "value" }, value),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note))),
    narrow.matches ? h("details", null, h("summary", null, "Explanation", h("span", { class: "unseen" }, `: ${name}`)), text) : text);
}

/** Draws one result of `each`, or a panel with the error. */
export function orReason(name, { value, error }, draw) {
  return value
    ? draw(value)
    : h("section", { class: "panel failed", "data-key": name }, h("h2", null, name), h("p", { class: "nothing" }, sentence(`unavailable: ${error.message}`)));
}

/** Folds a form of filters, `set` of which are in use. A wide screen shows the form at once. */
export function filters(set, form) {
  return h("details", { class: "fold", "data-key": "filters", open: set > 0 || !narrow.matches },
    h("summary", null, set > 0 ? `Filters, ${set} set` : "Filters"),
    form);
}

/** A list of warnings. Those after the first ones are folded. */
export function warningList(items) {
  const list = (some) => h("ul", null, some.map((item) => h("li", null, item)));
  const more = items.slice(WARNINGS);
  return [list(items.slice(0, WARNINGS)), more.length > 0 && h("details", null, h("summary", null, `${more.length} more`), list(more))];
}

/**
 * Folds panels of a page under their headings and returns their keys. Folds the panels with the keys `known` or, without
 * `known`, as many as needed for the page to have at most `HIGHEST` pixels, the last panels first.
 */
export function foldPanels(tree, known) {
  const keys = [];
  for (const panel of [...tree.querySelectorAll("section.panel:not(.failed)")].reverse()) {
    const key = panel.getAttribute("data-key");
    if (known ? known.includes(key) : document.documentElement.scrollHeight > HIGHEST) {
      const [heading, ...content] = panel.children;
      panel.replaceWith(h("details", { class: panel.className, "data-key": key }, h("summary", null, heading), content));
      keys.push(key);
    }
  }
  return keys;
}
