// Shared page components.

import { h } from "../dom.js";
import { sentence } from "../format.js";
import { narrow } from "../table.js";

/** Height of a page on a narrow screen, in pixels, above which its last panels are folded. */
const HIGHEST = 2400;
/** Number of warnings that a list shows at first. */
const WARNINGS = 2;

/** The keys of the panels that are folded on the page. */
let folded = [];

/** A card with a key figure, notes and an explanation, which a narrow screen folds. */
export function card(name, value, notes, explanation) {
  const text = h("p", { class: "explanation" }, explanation);
  return h("section", { class: "card", "data-key": name },
    h("h2", null, name),
    h("p", { class: "value" }, value),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note))),
    narrow.matches ? h("details", null, h("summary", { class: "muted" }, "Explanation", h("span", { class: "unseen" }, `: ${name}`)), text) : text);
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

/** A labelled field of a form, named by the end of its id. `input` is the element, or the properties of an `<input>`. */
export function field(id, label, input) {
  return h("div", { class: "field" },
    h("label", { for: id }, label),
    input instanceof Node ? input : h("input", { id, name: id.split("-").at(-1), type: "text", autocomplete: "off", ...input }));
}

export function reasonField(form, example, label = "Reason") {
  return field(`${form}-reason`, label, { maxlength: 500, required: true, placeholder: example });
}

/** The place for the error of a form. */
export function problem() {
  return h("p", { class: "field-error", role: "alert", "data-keep": true });
}

/** A section of warnings, if there are any. Those after the first ones are folded. */
export function warningSection(id, heading, items) {
  const list = (some) => h("ul", null, some.map((item) => h("li", null, item)));
  const more = items.slice(WARNINGS);
  return items.length > 0 && h("section", { class: "warnings", "data-key": id, "aria-labelledby": id },
    h("h2", { id }, heading),
    list(items.slice(0, WARNINGS)),
    more.length > 0 && h("details", null, h("summary", null, `${more.length} more`), list(more)));
}

/**
 * Folds the last panels of a page under their headings. A new page of a narrow screen folds as many as exceed `HIGHEST`,
 * and a refresh folds the same ones.
 */
export function foldPanels(tree, refresh) {
  const known = refresh ? folded : null;
  folded = [];
  for (const panel of [...tree.querySelectorAll("section.panel:not(.failed)")].reverse()) {
    const key = panel.getAttribute("data-key");
    if (known?.includes(key) ?? (narrow.matches && document.documentElement.scrollHeight > HIGHEST)) {
      const [heading, ...content] = panel.children;
      panel.replaceWith(h("details", { class: panel.className, "data-key": key }, h("summary", null, heading), content));
      folded.push(key);
    }
  }
}
