// What balance in mid-round does: how often, why, whether the odds got better and rounds stayed close.

import { each, get } from "../api.js";
import { h } from "../dom.js";
import { count, plural } from "../format.js";
import { address } from "../router.js";
import { cards } from "./interventions/cards.js";
import { perDay } from "./interventions/per_day.js";
import { reasons } from "./interventions/reasons.js";
import { interventionsTable } from "./interventions/recent.js";

const LIMIT = 50;
/** Over how many days the figures can be. */
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
      h("p", { class: "explanation" }, "Matches that were found unbalanced in mid-round, and what the service advised their plugins to do about it. Each is kept for 90 days."),
      choice(days, here),
      figures(summary.value),
      recent(page.value, pool, here, after)),
  };
}

function choice(chosen, here) {
  return h("div", { class: "pages", role: "group", "aria-label": "Over how many days" }, DAYS.map((days) => h("a", {
    class: days === chosen ? "button primary" : "button",
    href: address("interventions", [], { ...here, days }),
    "aria-current": days === chosen && "true",
  }, days === 1 ? "Today" : `${days} days`)));
}

function figures(summary) {
  if (summary.interventions === 0) {
    return h("p", { class: "notice", "data-key": "none" }, "No match of this pool was found unbalanced in this time. One appears here as soon as a game server's plugin asks POST /v1/balance and the answer is that the teams are unbalanced.");
  }
  return [
    !summary.complete && h("p", { class: "notice", "data-key": "incomplete" }, `There were more: only the latest ${count(summary.at_most)} are counted below.`),
    cards(summary),
    h("div", { class: "panels" }, perDay(summary), reasons(summary)),
  ];
}

function recent({ interventions: found, next }, pool, here, after) {
  return h("section", { class: "panel wide", "data-key": "recent" },
    h("h2", null, here.server ? `The latest on ${here.server}` : "The latest"),
    h("p", { class: "explanation" }, `When it was first asked for and what was answered, then the round that it was in, the first of the server that counts and ends within ${plural(3, "hour")}, with its odds of team A.`),
    here.server && h("p", null, h("a", { href: address("interventions", [], { ...here, server: null }) }, "Those of all servers")),
    interventionsTable(found, pool, here),
    h("p", { class: "pages" },
      after && h("a", { class: "button", href: address("interventions", [], here) }, "To the latest"),
      next && h("a", { class: "button", href: address("interventions", [], { ...here, after: next }) }, "Earlier ones")));
}
