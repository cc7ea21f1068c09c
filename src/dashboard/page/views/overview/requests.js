// What was slow, and what failed.

import { h } from "../../dom.js";
import { count, fixed, when } from "../../format.js";
import { table } from "../../table.js";

export function requests({ since, slowest, errors }) {
  return h("section", { class: "panel wide", "data-key": "requests" },
    h("h2", null, "Requests to this instance"),
    h("p", { class: "explanation" }, "The slowest of over 100 milliseconds since ", when(since), ", and the latest that failed with a status of 500 or more; the request id finds the line in the log."),
    h("h3", null, "Slowest"),
    list(slowest, "The slowest requests", "No request was slow."),
    h("h3", null, "Errors"),
    list(errors, "Requests that failed", "No request has failed."));
}

function list(rows, caption, empty) {
  return table({
    caption,
    empty,
    rows,
    columns: [
      { name: "When", cell: (row) => when(row.at) },
      { name: "Request", cell: (row) => h("code", null, `${row.method} ${row.route}`) },
      { name: "Status", number: true, cell: (row) => String(row.status) },
      { name: "Milliseconds", number: true, cell: (row) => (row.milliseconds >= 10 ? count(row.milliseconds) : fixed(row.milliseconds, 1)) },
      { name: "Request id", cell: (row) => h("code", null, row.request_id) },
    ],
  });
}
