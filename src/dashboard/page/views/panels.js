// Parts that pages are made of.

import { h } from "../dom.js";
import { sentence } from "../format.js";

/** A figure that matters, with what goes with it and what it means. */
export function card(name, value, notes, explanation) {
  return h("section", { class: "card", "data-key": name },
    h("h2", null, name),
    h("p", { class: "value" }, value),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note))),
    h("p", { class: "explanation" }, explanation));
}

/** What `draw` makes of the value of one of `each`, or a panel of that name with what went wrong. */
export function orReason(name, { value, error }, draw) {
  return value
    ? draw(value)
    : h("section", { class: "panel", "data-key": name }, h("h2", null, name), h("p", { class: "nothing" }, sentence(`not to be had: ${error.message}`)));
}
