// Shared page components.

import { h } from "../dom.js";
import { sentence } from "../format.js";

/** A card with a key figure, notes and an explanation. */
export function card(name, value, notes, explanation) {
  return h("section", { class: "card", "data-key": name },
    h("h2", null, name),
    h("p", { class: "value" }, value),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note))),
    h("p", { class: "explanation" }, explanation));
}

/** Draws one result of `each`, or a panel with the error. */
export function orReason(name, { value, error }, draw) {
  return value
    ? draw(value)
    : h("section", { class: "panel", "data-key": name }, h("h2", null, name), h("p", { class: "nothing" }, sentence(`unavailable: ${error.message}`)));
}
