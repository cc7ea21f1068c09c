// Whether all is well: the figures of the pool, in words, numbers and drawings.

import { each, get } from "../api.js";
import { chosenSince, spanPicker } from "../charts/span.js";
import { h } from "../dom.js";
import { sentence } from "../format.js";
import { activity } from "./overview/activity.js";
import { breakdowns } from "./overview/breakdowns.js";
import { cards } from "./overview/cards.js";
import { models } from "./overview/models.js";
import { players } from "./overview/players.js";
import { overTime, predictions } from "./overview/predictions.js";
import { marksOf } from "./overview/marks.js";
import { refusals } from "./overview/refusals.js";
import { requests } from "./overview/requests.js";
import { orReason } from "./panels.js";
import { importNotices, rebuildNotice } from "./rebuild.js";
import { lastRounds } from "./rounds_table.js";

/** How many points the figures over time have. */
const POINTS = 200;
/** How many hours back the servers are looked at. */
const HOURS = 48;
/** How many of the latest changes are marked in the charts over time. */
const CHANGES = 200;
/** How many of the last rounds are shown. */
const ROUNDS = 12;

export async function overview(here) {
  const { pool, show } = here;
  const query = { pool: pool.pool };
  const [rebuild, imports, quality, history, compared, hours, rounds, asked, refused, changed] = await each([
    get("/v1/admin/rebuild", query),
    get("/v1/admin/imports"),
    get("/v1/admin/quality", query),
    get("/v1/admin/quality/history", { ...query, points: POINTS, from: chosenSince() }),
    get("/v1/admin/models", query),
    get("/v1/admin/activity", { ...query, hours: HOURS }),
    get("/v1/admin/rounds", { ...query, limit: ROUNDS }),
    get("/v1/admin/requests"),
    get("/v1/admin/refusals"),
    get("/v1/admin/audit", { ...query, limit: CHANGES }),
  ]);
  return {
    title: "Overview",
    tree: h("div", { class: "view" },
      h("h1", null, "Overview ", h("span", { class: "of" }, pool.pool)),
      orReason("Voids and rebuilds under way", rebuild, (found) => rebuildNotice(found, show)),
      orReason("Imports under way", imports, importNotices),
      quality.value && [warnings(quality.value.warnings), cards(quality.value), learnt(quality.value.learnt)],
      spanPicker(here),
      h("div", { class: "panels" },
        orReason("Figures over time", history, (found) => overTime(found, marksOf(changed.value?.entries ?? []))),
        orReason("Quality of the predictions", quality, (figures) => [predictions(figures), players(figures)]),
        orReason("Models", compared, models),
        orReason("Rounds per hour", hours, activity),
        quality.value && breakdowns(quality.value),
        orReason("Last rounds", rounds, (found) => lastRounds(found, pool)),
        orReason("Refused by this instance", refused, refusals),
        orReason("Changes by admins", changed, () => null),
        orReason("Requests to this instance", asked, requests))),
  };
}

/** What the pool's model has learnt besides its players, where it learns anything. */
function learnt(found) {
  return found && h("section", { "data-key": "learnt", "aria-labelledby": "learnt" },
    h("h2", { id: "learnt" }, `Learnt by ${found.model}`),
    h("p", null, found.say));
}

function warnings(sentences) {
  if (sentences.length === 0) {
    return h("p", { class: "calm", "data-key": "calm" }, "Nothing here needs attention.");
  }
  return h("section", { class: "warnings", "data-key": "warnings", "aria-labelledby": "warnings" },
    h("h2", { id: "warnings" }, "Needs attention"),
    h("ul", null, sentences.map((text) => h("li", null, sentence(text)))));
}
