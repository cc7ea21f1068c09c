// Links to the pages of players and rounds.

import { h } from "../dom.js";
import { address } from "../router.js";

/** A link to a player's page, labelled with the name if known, else with the id. */
export function playerLink(id, pool, name) {
  return h("a", { class: !name && "id", href: address("player", [id], { pool }) }, name ? h("bdi", null, name) : id);
}

export function roundLink({ server, round_id: id }, pool, text = id) {
  return h("a", { class: text === id && "id", href: address("round", [server, id], { pool }) }, text);
}
