// Formats numbers, times and odds.

import { h } from "./dom.js";

/** Placeholder for a missing value. */
export const NOTHING = "–";

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

function grouped(value, digits) {
  return value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function given(value) {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** A whole number with thousands separators. */
export function count(value) {
  return given(value) ? whole.format(value) : NOTHING;
}

/** A number with `digits` decimals. */
export function fixed(value, digits = 4) {
  return given(value) ? minus(value.toFixed(digits)) : NOTHING;
}

/** A share from 0 to 1 as a percentage. */
export function percent(value, digits = 1) {
  return given(value) ? `${minus((value * 100).toFixed(digits))} %` : NOTHING;
}

/** The difference of two shares in percentage points, with its sign. */
export function points(value, digits = 1) {
  return given(value) ? `${signed(value * 100, digits)} points` : NOTHING;
}

/** A number with its sign and thousands separators. */
export function signed(value, digits = 0) {
  if (!given(value)) {
    return NOTHING;
  }
  const text = minus(Math.abs(value) < 1000 ? value.toFixed(digits) : grouped(value, digits));
  return value > 0 ? `+${text}` : text;
}

function minus(text) {
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace("-", "\u2212");
}

/** Capitalises a message and adds a full stop, but not after a `setting=value` at the end. */
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$|=\S+$/.test(begun) ? begun : `${begun}.`;
}

/** Formats a count with a noun: "1 round", "2 rounds". */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A duration in seconds, minutes or hours. */
export function lasting(seconds) {
  if (seconds < 90) {
    return plural(seconds, "second");
  }
  return seconds < 5400 ? plural(Math.round(seconds / 60), "minute") : plural(Math.round(seconds / 3600), "hour");
}

function two(value) {
  return String(value).padStart(2, "0");
}

/** A local date and time, to the minute. */
export function moment(time) {
  if (time === null || time === undefined) {
    return NOTHING;
  }
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A local time of day, to the second. */
export function clock(time) {
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A `<time>` element with the local date and time. */
export function when(time) {
  // A line may break between the date and the time, and not inside of them.
  const [day, hour] = moment(time).split(" ");
  return time ? h("time", { datetime: time, title: time }, h("span", null, day), " ", h("span", null, hour)) : NOTHING;
}

/** A signed number, coloured by its sign. */
export function gain(value, digits = 0) {
  const kind = value > 0 ? "up" : value < 0 ? "down" : "flat";
  return h("span", { class: `gain ${kind}` }, signed(value, digits));
}

export function team(side) {
  return side === "a" ? "Team A" : "Team B";
}

/** The result of a round. */
export function outcome(winner) {
  return winner === "draw" ? "Draw" : `${team(winner)} won`;
}
