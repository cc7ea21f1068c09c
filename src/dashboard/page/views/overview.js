// The overview of a pool: warnings, key figures and charts.

import { each, get } from "../api.js";
import { chosenSince, spanPicker } from "../charts/span.js";
import { h } from "../dom.js";
import { activity } from "./overview/activity.js";
import { breakdowns } from "./overview/breakdowns.js";
import { cards } from "./overview/cards.js";
import { models } from "./overview/models.js";
import { onboarding } from "./overview/onboarding.js";
import { oneSided } from "./overview/one_sided.js";
import { players } from "./overview/players.js";
import { bias, calibration, overTime } from "./overview/predictions.js";
import { marksOf } from "./overview/marks.js";
import { refusals } from "./overview/refusals.js";
import { verdict, warnings } from "./overview/verdict.js";
import { orReason } from "./panels.js";
import { importNotices, rebuildNotice } from "./rebuild.js";
import { lastRounds } from "./rounds/table.js";
import { seasonNotice } from "./seasons.js";
import { serverNotices } from "./servers.js";
import { knownSettings, settingMarks, together } from "./settings/marks.js";

/** Number of points in the charts over time. */
const POINTS = 200;
/** Hours covered by the charts of rounds per hour. */
const HOURS = 48;
/** Maximum number of admin changes marked in the charts over time. */
const CHANGES = 200;
/** Number of latest rounds shown. */
const ROUNDS = 12;

export async function overview(here) {
  const { pool, show } = here;
  const query = { pool: pool.pool };
  const known = knownSettings();
  const [rebuild, imports, quality, history, compared, hours, rounds, refused, changed, seasons, servers] = await each([
    get("/v1/admin/rebuild", query),
    get("/v1/admin/imports"),
    get("/v1/admin/quality", query),
    get("/v1/admin/quality/history", { ...query, points: POINTS, from: chosenSince() }),
    get("/v1/admin/models", query),
    get("/v1/admin/activity", { ...query, hours: HOURS }),
    get("/v1/admin/rounds", { ...query, limit: ROUNDS }),
    get("/v1/admin/refusals"),
    get("/v1/admin/audit", { ...query, limit: CHANGES }),
    get("/v1/admin/seasons", query),
    get("/v1/admin/servers", query),
  ]);
  const settings = await known;
  return {
    title: "Overview",
    tree: h("div", { class: "view" },
      h("h1", null, "Overview ", h("span", { class: "of" }, pool.pool)),
      orReason("Season", seasons, (found) => seasonNotice(found, here.query.pool)),
      orReason("Rating recalculations in progress", rebuild, (found) => rebuildNotice(found, show)),
      orReason("Servers", servers, (found) => serverNotices(found, here.query.pool)),
      orReason("Refused requests", refused, (found) => refusals(found, servers.value)),
      orReason("Imports in progress", imports, importNotices),
      quality.value?.rounds === 0 ? onboarding(pool, here.pools) : figures(quality, history, compared, hours, rounds, changed, settings, here)),
  };
}

/** The cards, charts and tables of a pool with rounds. */
function figures(quality, history, compared, hours, rounds, changed, settings, here) {
  const marks = together(marksOf(changed.value?.entries ?? []), settingMarks(settings, here.pool.pool));
  return [
    orReason("Are the predictions accurate?", quality, (found) => [
      h("div", { class: "panels", "data-key": "first" },
        h("div", { class: "view" }, verdict(found), warnings(found), learnt(found.learnt)),
        calibration(found)),
      cards(found),
    ]),
    spanPicker(here),
    h("div", { class: "panels" },
      orReason("Prediction quality over time", history, (found) => overTime(found, marks)),
      quality.value && [bias(quality.value), players(quality.value, marks), oneSided(quality.value)],
      orReason("Models", compared, models),
      orReason("Rounds per hour", hours, activity),
      quality.value && breakdowns(quality.value),
      orReason("Latest rounds", rounds, (found) => lastRounds(found, here.pool)),
      orReason("Changes by admins", changed, () => null),
      orReason("Settings changes", settings, () => null)),
  ];
}

/** The panel with the message of a model that learns figures besides ratings, if the pool's model does. */
function learnt(found) {
  return found && h("section", { "data-key": "learnt", "aria-labelledby": "learnt" },
    h("h2", { id: "learnt" }, `Learned by ${found.model}`),
    h("p", null, found.message));
}
