// Marks of admin changes for the charts over time.

import { ACTIONS } from "../audit.js";

/** Audit actions that get no mark, because they do not affect the predictions. */
const WITHOUT_TRACE = ["scramble", "prune"];

/** Returns a chart mark `{x, text}` for each other audit entry, oldest first. */
export function marksOf(entries) {
  return entries.filter(({ action }) => !WITHOUT_TRACE.includes(action)).reverse().map(({ at, action, player, round_id: round, reason }) => ({
    x: Date.parse(at) / 1000,
    text: [ACTIONS[action] ?? action, player ?? round, reason].filter(Boolean).join(", "),
  }));
}
