// Interventions: how often RBS balanced teams during a round, why, and with what effect.

import { each, get } from "../api.js";
import { h } from "../dom.js";
import { count, plural } from "../format.js";
import { address } from "../router.js";
import { cards } from "./interventions/cards.js";
import { perDay } from "./interventions/per_day.js";
import { reasons } from "./interventions/reasons.js";
import { interventionsTable } from "./interventions/recent.js";

const LIMIT = 50;
/** The periods to choose from, in days. */
const DAYS = [1, 7, 30, 90];

export async function interventions({ pool, query }) {
  const days = DAYS.find((known) => String(known) === query.days) ?? 7;
  const { server, after } = query;
  const [summary, page] = await each([
    get("/v1/admin/interventions/summary", { pool: pool.pool, days }),
    get("/v1/admin/interventions", { pool: pool.pool, server, after, limit: LIMIT }),
  ]);
  for (const { error } of [summary, page]) {
    if (error) {
      throw error;
    }
  }
  const here = { pool: query.pool, days: query.days, server };
  return {
    title: "Interventions",
    tree: h("div", { class: "view" },
      h("h1", null, "Interventions ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "An intervention is recorded when RBS finds the teams unbalanced during a round, with the moves that it sent to the plugin. RBS keeps interventions for 90 days. Days are in UTC."),
      choice(days, here),
      figures(summary.value),
      recent(page.value, pool, here, after)),
  };
}

function choice(chosen, here) {
  return h("div", { class: "pages", role: "group", "aria-label": "Period" }, DAYS.map((days) => h("a", {
    class: days === chosen ? "button primary" : "button",
    href: address("interventions", [], { ...here, days }),
    "aria-current": days === chosen && "true",
  }, days === 1 ? "Today" : `${days} days`)));
}

function figures(summary) {
  if (summary.interventions === 0) {
    return h("p", { class: "notice", "data-key": "none" }, "No match in this pool was unbalanced in this period. A match appears here when a plugin calls POST /v1/balance and the teams are unbalanced.");
  }
  return [
    !summary.complete && h("p", { class: "notice", "data-key": "incomplete" }, `Too many interventions for one page: the numbers below cover only the latest ${count(summary.at_most)}.`),
    cards(summary),
    h("div", { class: "panels" }, perDay(summary), reasons(summary)),
  ];
}

function recent({ interventions: found, next }, pool, here, after) {
  return h("section", { class: "panel wide", "data-key": "recent" },
    h("h2", null, here.server ? `Latest interventions on ${here.server}` : "Latest interventions"),
    h("p", { class: "explanation" }, `When RBS answered a plugin, and what it answered. "Round" is the server's first counted round that ended within ${plural(3, "hour")} after the intervention; "Outcome" shows how that round ended and the odds with which it was rated.`),
    here.server && h("p", null, h("a", { href: address("interventions", [], { ...here, server: null }) }, "Show all servers")),
    interventionsTable(found, pool, here),
    h("p", { class: "pages" },
      after && h("a", { class: "button", href: address("interventions", [], here) }, "Show latest"),
      next && h("a", { class: "button", href: address("interventions", [], { ...here, after: next }) }, "Older interventions")));
}
