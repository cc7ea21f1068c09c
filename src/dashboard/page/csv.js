// Figures as a file of comma-separated values, for spreadsheets and programs.

import { NOTHING } from "./format.js";

/** The number that a cell shows, whatever stands around it, or `null`. */
export function numberIn(text) {
  const plain = text.replace(/[,\s]/g, "").replace("\u2212", "-").replace(/^\+/, "").replace(/(%|points?)$/, "");
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** The text of a file: `header` and `rows` of texts; numbers become such as programs read. */
export function csv(header, rows) {
  const lines = [header.map(quoted), ...rows.map((cells) => cells.map((text) => numberIn(text) ?? quoted(text === NOTHING ? "" : text)))];
  // The mark at the beginning says to spreadsheets that it is UTF-8.
  return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** A text in quotes where it needs them. What a spreadsheet would take for a formula, players may have chosen. */
function quoted(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
