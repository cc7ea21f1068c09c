// How figures, times and odds are written.

import { h } from "./dom.js";

/** What stands where there is nothing. */
export const NOTHING = "–";

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

function grouped(value, digits) {
  return value.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function given(value) {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** A number with separated thousands. */
export function count(value) {
  return given(value) ? whole.format(value) : NOTHING;
}

/** A number with so many digits behind the point. */
export function fixed(value, digits = 4) {
  return given(value) ? minus(value.toFixed(digits)) : NOTHING;
}

/** A share as percent. */
export function percent(value, digits = 1) {
  return given(value) ? `${minus((value * 100).toFixed(digits))} %` : NOTHING;
}

/** A difference of two shares in percentage points, with its sign. */
export function points(value, digits = 1) {
  return given(value) ? `${signed(value * 100, digits)} points` : NOTHING;
}

/** A difference, always with its sign, and with separated thousands. */
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

/** A message of the service as a sentence; a command at its end is left as it is to be typed. */
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$|=\S+$/.test(begun) ? begun : `${begun}.`;
}

/** "1 round", "2 rounds". */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A time that something takes, as one says it. */
export function lasting(seconds) {
  if (seconds < 90) {
    return plural(seconds, "second");
  }
  return seconds < 5400 ? plural(Math.round(seconds / 60), "minute") : plural(Math.round(seconds / 3600), "hour");
}

function two(value) {
  return String(value).padStart(2, "0");
}

/** A moment as the clock on the wall shows it, to the minute. */
export function moment(time) {
  if (time === null || time === undefined) {
    return NOTHING;
  }
  const date = new Date(time);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The same to the second, without the day. */
export function clock(time) {
  const date = new Date(time);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A moment as an element that programs can read too. */
export function when(time) {
  return time ? h("time", { datetime: time, title: time }, moment(time)) : NOTHING;
}

/** A difference that shows by its colour too which way it goes. */
export function gain(value, digits = 0) {
  const kind = value > 0 ? "up" : value < 0 ? "down" : "flat";
  return h("span", { class: `gain ${kind}` }, signed(value, digits));
}

/** The name of a team. */
export function team(side) {
  return side === "a" ? "Team A" : "Team B";
}

/** How a round ended. */
export function outcome(winner) {
  return winner === "draw" ? "Draw" : `${team(winner)} won`;
}
