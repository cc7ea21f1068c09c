// What admins changed while figures went their way.

import { ACTIONS } from "../audit.js";

/** What leaves no trace in the figures of predictions. */
const WITHOUT_TRACE = ["scramble", "prune"];

/** A mark for each of `entries` of the audit, the oldest first. */
export function marksOf(entries) {
  return entries.filter(({ action }) => !WITHOUT_TRACE.includes(action)).reverse().map(({ at, action, player, round_id: round, reason }) => ({
    x: Date.parse(at) / 1000,
    text: [ACTIONS[action] ?? action, player ?? round, reason].filter(Boolean).join(", "),
  }));
}
