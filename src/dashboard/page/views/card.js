// A figure that matters, with what goes with it and what it means.

import { h } from "../dom.js";

export function card(name, value, notes, explanation) {
  return h("section", { class: "card", "data-key": name },
    h("h2", null, name),
    h("p", { class: "value" }, value),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note))),
    h("p", { class: "explanation" }, explanation));
}
