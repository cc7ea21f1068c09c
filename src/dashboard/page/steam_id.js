// Parses the spellings of a Steam ID. RBS itself writes the SteamID64.

const BASE = 76561197960265728n;
const LAST = 4294967295n;
const PROFILE = /^(?:https?:\/\/)?(?:www\.)?steamcommunity\.com\/profiles\/([^/?#]+)\/*(?:[?#].*)?$/i;

/** Returns the SteamID64 for any spelling of a Steam ID or a profile address, or `null`. */
export function steamId64(text) {
  const sent = text.trim();
  const account = accountOf(PROFILE.exec(sent)?.[1] ?? sent);
  return account !== null && account >= 1n && account <= LAST ? String(BASE + account) : null;
}

/** Returns the other spellings of a SteamID64. */
export function spellings(id) {
  const account = BigInt(id) - BASE;
  return [`STEAM_0:${account % 2n}:${account / 2n}`, `[U:1:${account}]`];
}

function accountOf(text) {
  const steam2 = /^STEAM_[01]:([01]):(\d{1,10})$/i.exec(text);
  if (steam2) {
    return BigInt(steam2[2]) * 2n + BigInt(steam2[1]);
  }
  const steam3 = /^\[?U:1:(\d{1,10})\]?$/i.exec(text);
  if (steam3) {
    return BigInt(steam3[1]);
  }
  return /^\d{17}$/.test(text) ? BigInt(text) - BASE : null;
}
