// A text field that suggests players while the user types.

import { Failed, get, part } from "../../api.js";
import { h } from "../../dom.js";
import { steamId64 } from "../../steam_id.js";

/** Delay after the last key press before the search, in milliseconds. */
const TYPING = 200;
/** Maximum number of suggestions. */
const SUGGESTED = 8;
/** Separates the name and the id in a suggestion. */
const BETWEEN = " · ";

let typing = 0;

/** Returns the text of a suggestion. */
export function suggestion(id, name) {
  return name ? `${name}${BETWEEN}${id}` : id;
}

/** Returns the pool of a player who is not in `pool` but in another one; otherwise `undefined`. */
export async function poolWith(id, pool) {
  // If this fails, the player's page shows the error.
  const found = await get("/v1/admin/players", { pool, search: id, limit: 1 }).catch(() => null);
  return found?.total === 0 ? found.elsewhere[0]?.pool : undefined;
}

/** Returns the SteamID64 in a suggestion or in any spelling of a Steam ID, or `null`. */
export function idIn(text) {
  return steamId64(text) ?? steamId64(text.split(BETWEEN).at(-1));
}

/** Returns the players of a round as suggestions. */
export async function suggestionsOf({ server, round_id: id }) {
  const round = await get(`/v1/admin/rounds/${part(server)}/${part(id)}`);
  const names = new Map([...round.players, ...round.unrated].map(({ id, name }) => [id, name]));
  const entries = [...round.team_a, ...round.team_b].map((entry) => (typeof entry === "object" ? entry.id : entry));
  return [...new Set(entries)].map((id) => suggestion(id, names.get(id)));
}

/** Appends the suggestion in `field`, followed by `behind`, to the textarea `lines`, and clears the field. */
export function addTo(lines, field, behind = "") {
  lines.value = `${lines.value.trimEnd()}\n${field.value}${behind}`.trim();
  lines.scrollTop = lines.scrollHeight;
  field.value = "";
}

/**
 * A field with suggestions from the players of `pool`, and with `others` from the other pools too. Calls
 * `choose(field)` when the user picks one.
 */
export function playerField(id, pool, choose, more, others = false) {
  const suggest = ({ currentTarget: field }) => {
    const text = field.value.trim();
    clearTimeout(typing);
    if (text.includes(BETWEEN) && idIn(text) !== null) {
      choose(field);
    } else if (text.length > 1) {
      typing = setTimeout(() => show(`${id}-found`, text, pool, others), TYPING);
    }
  };
  return [
    h("input", { id, type: "text", autocomplete: "off", spellcheck: "false", list: `${id}-found`, oninput: suggest, ...more }),
    h("datalist", { id: `${id}-found`, "data-keep": true }),
  ];
}

async function show(list, text, pool, others) {
  try {
    const { players, elsewhere } = await get("/v1/admin/players", { pool, search: text, limit: SUGGESTED });
    const there = others ? elsewhere.map((player) => ({ id: player.id, name: `${player.name ?? ""} in pool ${player.pool}`.trim() })) : [];
    document.getElementById(list)?.replaceChildren(...[...players, ...there].map(({ id, name }) => h("option", { value: suggestion(id, name) })));
  } catch (error) {
    // Ignore a failed request: the next key press sends another one.
    if (!(error instanceof Failed)) {
      throw error;
    }
  }
}
