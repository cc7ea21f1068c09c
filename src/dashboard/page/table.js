// Tables with a caption, sideways scrolling, sorting by column, and CSV export. Columns without any value are left out.
// A narrow screen shows the first rows, and a button shows the others.

import { csv, numberIn } from "./csv.js";
import { h } from "./dom.js";
import { save } from "./download.js";
import { count, NOTHING } from "./format.js";
import { morph } from "./morph.js";
import { place } from "./router.js";

/** Maximum lengths of names in characters, on a wide and on a narrow screen. Longer names are shortened. */
const LONG = 28;
const LONG_NARROW = 18;

/** Number of rows that a narrow screen shows at first. */
const FEW = 10;

export const narrow = matchMedia("(max-width: 620px)");

/** The sort order of each table: the column's name and the direction. */
const sorted = new Map();

/** The long tables of which all rows are shown. */
const whole = new Set();

narrow.addEventListener("change", () => {
  for (const element of document.querySelectorAll(".table")) {
    element.renew(element);
  }
});

/**
 * Creates a table. `columns` are `{name, number, cell(row), value(row), important, wrap, by}`; the first one is the row
 * header. A column's fields:
 * - `value`: the sort key, if it differs from the text of the cell
 * - `important`: moves the column to the front on a narrow screen
 * - `wrap`: never shorten the text
 * - `by`: for tables that the service sorts, `{sort, to, best}`: the current order, the address of this order, and the
 *   order that a first click gives
 *
 * `id` returns a key for a row, so that a refresh keeps rows in place. Set `visibleCaption` if no heading names the
 * table, `sortable: false` if the order of the rows matters, and `file: false` for a table in a box that scrolls, which has
 * its CSV button elsewhere. `few` is the number of rows that a wide screen shows at first.
 */
export function table(options) {
  const { caption, columns, rows, id, visibleCaption = false, empty = "Nothing yet.", sortable = true, file = true, few = Infinity } = options;
  if (rows.length === 0) {
    return h("p", { class: "nothing" }, empty);
  }
  const [first, ...rest] = columns.filter((column, at) => at === 0 || column.by || rows.some((row, number) => !missing(textOf(column.cell(row, number)))));
  const shown = [first, ...(narrow.matches ? [...rest.filter((column) => column.important), ...rest.filter((column) => !column.important)] : rest)];
  const key = `${place().view} ${caption}`;
  const by = sortable ? sorted.get(key) : undefined;
  const ordered = inOrder(rows, columns, by);
  const most = narrow.matches ? FEW : few;
  const long = file && rows.length > most;
  const cutOff = long && !whole.has(key);
  const renew = (element) => morph(element, table(options));
  const sort = (column) => ({ currentTarget }) => {
    sorted.set(key, next(by, column));
    renew(currentTarget.closest(".table"));
  };
  const lengthen = ({ currentTarget }) => {
    whole[cutOff ? "add" : "delete"](key);
    renew(currentTarget.closest(".table"));
  };
  const direction = ({ name, by: link }) => (link
    ? { [link.best]: "descending", [link.best.slice(1)]: "ascending" }[link.sort]
    : by?.name === name && (by.descending ? "descending" : "ascending"));
  const head = (column) => h("th", { scope: "col", class: column.number && "number", "aria-sort": direction(column) ?? false },
    column.by ? h("a", { class: "sort", href: column.by.to }, column.name) : sortable && rows.length > 1 ? h("button", { type: "button", class: "sort", onclick: sort(column) }, column.name) : column.name);
  return h("div", { class: "table", renew },
    h("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": caption },
      h("table", null,
        h("caption", visibleCaption ? null : { class: "unseen" }, caption),
        h("thead", null, h("tr", null, shown.map(head))),
        h("tbody", null, (cutOff ? ordered.slice(0, most) : ordered).map(([row, at]) => h("tr", { "data-key": id ? id(row) : null, class: row.rowClass }, shown.map((column) => column === first
          ? h("th", { scope: "row", class: column.number && "number" }, short(column, row, at))
          : h("td", { class: column.number && "number" }, short(column, row, at)))))))),
    file && h("div", { class: "table-tools" },
      long && h("button", { type: "button", class: "tool", "aria-expanded": String(!cutOff), onclick: lengthen }, cutOff ? `Show all ${count(rows.length)} rows` : `Show only ${most} rows`, h("span", { class: "unseen" }, `: ${caption}`)),
      h("button", { type: "button", class: "tool", "aria-label": `CSV of ${caption}`, onclick: () => saveTable(caption, columns, ordered.map(([row]) => row)) }, "CSV")));
}

/** Downloads a table as CSV. */
export function saveTable(caption, columns, rows) {
  const text = csv(columns.map(({ name }) => name), rows.map((row, at) => columns.map((column) => textOf(column.cell(row, at)))));
  save(new Blob([text], { type: "text/csv;charset=utf-8" }), caption, "csv");
}

/** Returns the sort order after a click on a column. Numbers start with the largest; the third click removes the order. */
function next(by, { name, number }) {
  const first = number === true;
  if (by?.name !== name) {
    return { name, descending: first };
  }
  return by.descending === first ? { name, descending: !first } : undefined;
}

function missing(value) {
  return value === null || value === undefined || value === "" || value === NOTHING;
}

/** Returns the sorted rows with their original indices. Rows without a value come last. */
function inOrder(rows, columns, by) {
  const all = rows.map((row, at) => [row, at]);
  const column = columns.find(({ name }) => name === by?.name);
  if (!column) {
    return all;
  }
  const values = all.map(([row, at]) => valueOf(column, row, at));
  const compare = (one, other) => (typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en", { numeric: true }));
  return all.sort(([, one], [, other]) => {
    const [left, right] = [values[one], values[other]];
    if (missing(left) || missing(right)) {
      return missing(left) - missing(right);
    }
    return by.descending ? compare(right, left) : compare(left, right);
  });
}

function valueOf(column, row, at) {
  if (column.value) {
    return column.value(row);
  }
  const text = textOf(column.cell(row, at));
  return column.number ? numberIn(text) ?? numberIn(text.split(" ")[0]) ?? text : text;
}

/** Returns the text of a cell. A time becomes an ISO time. */
function textOf(cell) {
  const element = h("td", null, cell);
  const time = element.querySelector("time");
  return time !== null && time.textContent === element.textContent ? time.dateTime : element.textContent;
}

/** Shortens long names in a cell. The tooltip and the CSV file have the full name. */
function short(column, row, at) {
  const cell = column.cell(row, at);
  return column.wrap ? h("span", { class: "reason" }, cell) : [cell].flat(Infinity).map(cut);
}

function cut(part) {
  const most = narrow.matches ? LONG_NARROW : LONG;
  if (typeof part === "string") {
    // A text with spaces is a sentence, not a name.
    return part.length > most && !part.includes(" ") ? h("span", { class: "long", title: part }, part) : part;
  }
  if (part instanceof Element && part.localName === "a" && part.textContent.length > most) {
    part.classList.add("long");
    part.title ||= part.textContent;
  }
  return part;
}
