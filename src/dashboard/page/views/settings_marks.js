// When the constants of a pool's ratings changed, for the charts over time.

import { Failed, get } from "../api.js";

/** For how long what was read is good enough, in milliseconds: a constant changes by a restart alone. */
const FRESH = 300_000;

let kept = { at: 0, answer: null };

/** What is in force and was, as it was read lately: `{value}`, or `{error}` where it is not to be had. */
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

/** A mark for each change of the pool's constants; none where the settings are not to be had. */
export function settingMarks({ value }, name) {
  const history = value?.pools.find(({ pool }) => pool === name)?.history ?? [];
  return history.filter(({ began_at: at, changes }) => at !== null && changes.length > 0).map(({ began_at: at, changes }) => ({
    x: Date.parse(at) / 1000,
    text: `Settings: ${changes.map(written).join(", ")}`,
  }));
}

/** A change of a constant. */
export function written({ parameter, before, after }) {
  return `${parameter} ${before ?? "off"} → ${after ?? "off"}`;
}

/** All marks, the oldest first. */
export function together(...lists) {
  return lists.flat().sort((one, other) => one.x - other.x);
}
