// Writes tables as CSV, for spreadsheets and programs.

import { NOTHING } from "./format.js";

/** Returns the number in a cell, without units and separators, or `null`. */
export function numberIn(text) {
  const plain = text.replace(/[,\s]/g, "").replace("\u2212", "-").replace(/^\+/, "").replace(/(%|points?)$/, "");
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Returns the text of a CSV file. Numbers lose their units and thousands separators. */
export function csv(header, rows) {
  const lines = [header.map(quoted), ...rows.map((cells) => cells.map((text) => numberIn(text) ?? quoted(text === NOTHING ? "" : text)))];
  // The byte order mark tells spreadsheets that the file is UTF-8.
  return `\ufeff${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
}

/** Quotes a text if needed. Escapes a leading formula character, because players choose their names. */
function quoted(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
