// What the service runs with, which secrets are used, and what the pool was rated by.

import { Failed, get, send } from "../api.js";
import { h } from "../dom.js";
import { count, NOTHING, plural, sentence, when } from "../format.js";
import { say } from "../messages.js";
import { table } from "../table.js";
import { written } from "./settings_marks.js";

const KINDS = { admin: "admins", game: "game servers", bound: "some game servers", read: "reading alone" };

export async function settings({ pool, show }) {
  const found = await get("/v1/admin/settings");
  const { parameters, history, has_earlier: earlier, model } = found.pools.find((one) => one.pool === pool.pool);
  const own = found.settings.filter(({ from }) => from !== "default");
  return {
    title: "Settings",
    tree: h("div", { class: "view" },
      h("h1", null, "Settings ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "What this instance runs with, as it read it ", when(found.loaded_at), "."),
      found.restart.length > 0 && h("p", { class: "notice" }, `Changed since, and in force after a restart: ${found.restart.join(", ")}.`),
      h("p", { class: "buttons" },
        h("button", { type: "button", class: "button", onclick: () => reload(show) }, "Read again"),
        h("button", { type: "button", class: "button", onclick: diagnose }, "Copy diagnostics")),
      h("textarea", { id: "diagnostics", class: "diagnostics", "data-keep": true, readonly: true, hidden: true, rows: 12, "aria-label": "Diagnostics for a bug report" }),
      h("h2", null, "Secrets"),
      h("p", { class: "explanation" }, "One that nobody has used for long can be taken away. This instance counts since its start."),
      table({
        caption: "The secrets that are accepted",
        rows: found.secrets,
        id: (secret) => `${secret.kind} ${secret.fingerprint}`,
        columns: [
          { name: "Secret", cell: (secret) => h("code", null, secret.fingerprint) },
          { name: "Name", cell: (secret) => secret.name ?? NOTHING },
          { name: "For", cell: (secret) => KINDS[secret.kind] },
          { name: "Last used", important: true, cell: (secret) => when(secret.last_used) },
          { name: "Requests", number: true, cell: (secret) => count(secret.requests) },
        ],
      }),
      h("h2", null, "What the ratings went by"),
      h("p", { class: "explanation" }, `The constants of ${model} and since which round they count.${earlier ? " There are earlier ones." : ""}`),
      table({
        caption: "Constants of the ratings, the latest first",
        empty: "No rounds yet.",
        rows: history,
        sortable: false,
        id: ({ position }) => position,
        columns: [
          { name: "Since", cell: (period) => when(period.began_at) },
          { name: "Entry of the log", number: true, cell: ({ position }) => count(position) },
          { name: "Change", important: true, wrap: true, cell: ({ changes }) => changes.map(written).join(", ") || "the first" },
        ],
      }),
      h("details", null,
        h("summary", null, plural(Object.keys(parameters).length, "constant"), " in force"),
        table({
          caption: "Constants of the ratings in force",
          rows: Object.entries(parameters),
          id: ([name]) => name,
          columns: [
            { name: "Constant", cell: ([name]) => name },
            { name: "Value", number: true, cell: ([, value]) => String(value) },
          ],
        })),
      h("h2", null, "Settings"),
      every("What is set here", own),
      h("details", null, h("summary", null, "All settings"), every("All settings", found.settings))),
  };
}

function every(caption, rows) {
  return table({
    caption,
    empty: "Everything has its default.",
    rows,
    id: ({ setting }) => setting,
    columns: [
      { name: "Setting", wrap: true, cell: ({ setting }) => setting },
      { name: "Value", important: true, wrap: true, cell: ({ value }) => (value === null ? "not set" : typeof value === "string" ? value : JSON.stringify(value)) },
      { name: "From", wrap: true, cell: ({ from, place }) => [from.replace("_", " "), place].filter(Boolean).join(": ") },
    ],
  });
}

/** Says what a request has come to, or why it came to nothing. */
async function saying(work) {
  try {
    say(await work());
  } catch (error) {
    if (!(error instanceof Failed)) {
      throw error;
    }
    say(sentence(error.message));
  }
}

function reload(show) {
  return saying(async () => {
    const { answer } = await send("POST", "/v1/admin/reload");
    await show();
    const secrets = answer.secrets_added.length + answer.secrets_removed.length;
    const changed = [...answer.taken, ...(secrets > 0 ? [plural(secrets, "secret")] : [])];
    return `Read again. ${changed.length > 0 ? `Changed: ${changed.join(", ")}` : "Nothing has changed"}.${answer.restart.length > 0 ? ` After a restart: ${answer.restart.join(", ")}.` : ""}`;
  });
}

function diagnose() {
  return saying(async () => {
    const { text } = await get("/v1/admin/diagnostics");
    const place = document.getElementById("diagnostics");
    place.value = text;
    place.hidden = false;
    place.select();
    try {
      await navigator.clipboard.writeText(text);
      return "Copied. Look through it before you paste it.";
    } catch {
      // Browsers let a page write there over https alone.
      return "Copy the text that is selected, and look through it before you paste it.";
    }
  });
}
