// A part of a page, or why it is not there; the others are shown all the same.

import { h } from "../dom.js";
import { sentence } from "../format.js";

/** What `draw` makes of the value of one of `each`, or a panel of that name with what went wrong. */
export function orReason(name, { value, error }, draw) {
  return value
    ? draw(value)
    : h("section", { class: "panel", "data-key": name }, h("h2", null, name), h("p", { class: "nothing" }, sentence(`not to be had: ${error.message}`)));
}
