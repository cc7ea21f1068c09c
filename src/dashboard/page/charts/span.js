// The period that all charts of a page show. It is part of the page's address.

import { h } from "../dom.js";
import { address, place } from "../router.js";

const HOUR = 3600;

/** The periods to choose from: name in the address, label, and seconds. */
const SPANS = [["24h", "24 hours", 24 * HOUR], ["7d", "7 days", 168 * HOUR], ["30d", "30 days", 720 * HOUR]];

/** Returns the chosen period in seconds, or `null` for all data. */
export function chosenSpan() {
  return SPANS.find(([name]) => name === place().query.span)?.[2] ?? null;
}

/** Returns the start of the chosen period as an ISO time, or `null` for all data. */
export function chosenSince() {
  const span = chosenSpan();
  return span === null ? null : new Date(Date.now() - span * 1000).toISOString();
}

/** Returns links to the current page with each period. */
export function spanPicker({ view, rest, query }) {
  const chosen = SPANS.find(([name]) => name === query.span)?.[0];
  return h("div", { class: "spans", role: "group", "aria-label": "Period of the charts", "data-key": "spans" }, [...SPANS, [undefined, "All"]].map(([name, text]) => h("a", {
    class: name === chosen ? "button primary" : "button",
    href: address(view, rest, { ...query, span: name }),
    "aria-current": name === chosen && "true",
  }, text)));
}
