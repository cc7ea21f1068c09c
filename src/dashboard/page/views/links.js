// Links to what has a page of its own.

import { h } from "../dom.js";
import { address } from "../router.js";

export function playerLink(id, pool) {
  return h("a", { class: "id", href: address("player", [id], { pool }) }, id);
}

export function roundLink({ server, round_id: id }, pool, text = id) {
  return h("a", { class: "id", href: address("round", [server, id], { pool }) }, text);
}
