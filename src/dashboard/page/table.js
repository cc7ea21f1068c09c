// Tables: with a caption, in a frame that scrolls by itself where the page is narrow.

import { h } from "./dom.js";

/**
 * `columns`: `{name, number, cell(row), hidden}`; the first names the row. `id` distinguishes rows, so
 * that a refresh moves none. `visibleCaption` where nothing else says what the table is.
 */
export function table({ caption, columns, rows, id, visibleCaption = false, empty = "Nothing yet." }) {
  if (rows.length === 0) {
    return h("p", { class: "nothing" }, empty);
  }
  return h("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": caption },
    h("table", null,
      h("caption", visibleCaption ? null : { class: "unseen" }, caption),
      h("thead", null, h("tr", null, columns.map((column) => h("th", { scope: "col", class: column.number && "number" }, column.name)))),
      h("tbody", null, rows.map((row, place) => h("tr", { "data-key": id ? id(row) : null, class: row.rowClass }, columns.map((column, index) => index === 0
        ? h("th", { scope: "row", class: column.number && "number" }, column.cell(row, place))
        : h("td", { class: column.number && "number" }, column.cell(row, place))))))));
}
