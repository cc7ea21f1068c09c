// Chart marks for changes of a pool's rating parameters.

import { Failed, get } from "../../api.js";

/** Lifetime of the cached settings in milliseconds. Rating parameters change only at a restart. */
const FRESH = 300_000;

let kept = { at: 0, answer: null };

/** Returns the cached settings as `{value}`, or `{error}`. */
export async function knownSettings() {
  try {
    if (Date.now() - kept.at > FRESH) {
      kept = { at: Date.now(), answer: await get("/v1/admin/settings") };
    }
    return { value: kept.answer };
  } catch (error) {
    if (!(error instanceof Failed)) {
      throw error;
    }
    return { error };
  }
}

/** Returns a mark for each parameter change of the pool, or none if the settings are unavailable. */
export function settingMarks({ value }, name) {
  const history = value?.pools.find(({ pool }) => pool === name)?.history ?? [];
  return history.filter(({ began_at: at, changes }) => at !== null && changes.length > 0).map(({ began_at: at, changes }) => ({
    x: Date.parse(at) / 1000,
    text: `Settings: ${changes.map(written).join(", ")}`,
  }));
}

/** Formats a parameter change. */
export function written({ parameter, before, after }) {
  return `${parameter} ${before ?? "off"} → ${after ?? "off"}`;
}

/** Merges lists of marks, oldest first. */
export function together(...lists) {
  return lists.flat().sort((one, other) => one.x - other.x);
}
