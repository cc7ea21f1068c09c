// From when on a page shows what changes over time: chosen for all of its charts, and part of the address.

import { h } from "../dom.js";
import { address, place } from "../router.js";

const HOUR = 3600;

/** What can be chosen, with its seconds. */
const SPANS = [["24h", "24 hours", 24 * HOUR], ["7d", "7 days", 168 * HOUR], ["30d", "30 days", 720 * HOUR]];

/** How many seconds the page goes back, or `null` for all that there is. */
export function chosenSpan() {
  return SPANS.find(([name]) => name === place().query.span)?.[2] ?? null;
}

/** Since when that is, for a request, or `null`. */
export function chosenSince() {
  const span = chosenSpan();
  return span === null ? null : new Date(Date.now() - span * 1000).toISOString();
}

/** Links to the same page over each of the times. */
export function spanPicker({ view, rest, query }) {
  const chosen = SPANS.find(([name]) => name === query.span)?.[0];
  return h("div", { class: "spans", role: "group", "aria-label": "How far back the charts go", "data-key": "spans" }, [...SPANS, [undefined, "All"]].map(([name, text]) => h("a", {
    class: name === chosen ? "button primary" : "button",
    href: address(view, rest, { ...query, span: name }),
    "aria-current": name === chosen && "true",
  }, text)));
}
