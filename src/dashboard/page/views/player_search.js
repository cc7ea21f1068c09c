// A field that suggests players by their names as one types.

import { Failed, get, part } from "../api.js";
import { h } from "../dom.js";
import { steamId64 } from "../steam_id.js";

/** How long to wait for the next letter before players are looked for, in milliseconds. */
const TYPING = 200;
/** How many players are suggested. */
const SUGGESTED = 8;
/** What stands between the name of a suggestion and its id. */
const BETWEEN = " · ";

let typing = 0;

/** A player as a suggestion has it. */
export function suggestion(id, name) {
  return name ? `${name}${BETWEEN}${id}` : id;
}

/** The id in a suggestion, or in any spelling; `null` where there is none. */
export function idIn(text) {
  return steamId64(text) ?? steamId64(text.split(BETWEEN).at(-1));
}

/** Everybody in a round of a list, as suggestions have them. */
export async function suggestionsOf({ server, round_id: id }) {
  const round = await get(`/v1/admin/rounds/${part(server)}/${part(id)}`);
  const names = new Map([...round.players, ...round.unrated].map(({ id, name }) => [id, name]));
  const entries = [...round.team_a, ...round.team_b].map((entry) => (typeof entry === "object" ? entry.id : entry));
  return [...new Set(entries)].map((id) => suggestion(id, names.get(id)));
}

/** Moves the suggestion in `field` to the end of `lines`, with what stands `behind` it there. */
export function addTo(lines, field, behind = "") {
  lines.value = `${lines.value.trimEnd()}\n${field.value}${behind}`.trim();
  lines.scrollTop = lines.scrollHeight;
  field.value = "";
}

/** A field of the pool's players with its suggestions; `choose(field)` is called once one of them is chosen. */
export function playerField(id, pool, choose, more) {
  const suggest = ({ currentTarget: field }) => {
    const text = field.value.trim();
    clearTimeout(typing);
    if (text.includes(BETWEEN) && idIn(text) !== null) {
      choose(field);
    } else if (text.length > 1) {
      typing = setTimeout(() => show(`${id}-found`, text, pool), TYPING);
    }
  };
  return [
    h("input", { id, type: "text", autocomplete: "off", spellcheck: "false", list: `${id}-found`, oninput: suggest, ...more }),
    h("datalist", { id: `${id}-found`, "data-keep": true }),
  ];
}

async function show(list, text, pool) {
  try {
    const { players } = await get("/v1/admin/players", { pool, search: text, limit: SUGGESTED });
    document.getElementById(list)?.replaceChildren(...players.map(({ id, name }) => h("option", { value: suggestion(id, name) })));
  } catch (error) {
    // The next letter asks again.
    if (!(error instanceof Failed)) {
      throw error;
    }
  }
}
