// The settings of the service, its secrets, and the history of the pool's rating parameters.

import { Failed, get, send } from "../api.js";
import { h } from "../dom.js";
import { count, NOTHING, plural, sentence, when } from "../format.js";
import { say } from "../messages.js";
import { table } from "../table.js";
import { field } from "./panels.js";
import { written } from "./settings/marks.js";

const KINDS = { admin: "admins", game: "game servers", bound: "certain game servers", read: "read-only access" };

/** The group of the settings that apply to all pools and servers. */
const COMMON = "Common settings";

export async function settings({ pool, show }) {
  const found = await get("/v1/admin/settings");
  const { parameters, history, has_earlier: earlier, model } = found.pools.find((one) => one.pool === pool.pool);
  const wanted = document.getElementById("settings-wanted")?.value ?? "";
  const names = found.pools.map((one) => one.pool);
  const filter = ({ currentTarget: { value } }) => document.getElementById("settings-found").replaceChildren(...groups(found.settings, names, value));
  return {
    title: "Settings",
    tree: h("div", { class: "view" },
      h("h1", null, "Settings ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "Settings of this RBS instance, loaded ", when(found.loaded_at), "."),
      found.restart.length > 0 && h("p", { class: "notice" }, `Changed since RBS started; restart RBS to apply: ${found.restart.join(", ")}.`),
      h("p", { class: "buttons" },
        h("button", { type: "button", class: "button", onclick: () => reload(show) }, "Reload settings"),
        h("button", { type: "button", class: "button", onclick: diagnose }, "Copy diagnostics")),
      h("textarea", { id: "diagnostics", class: "diagnostics", "data-keep": true, readonly: true, hidden: true, rows: 12, "aria-label": "Diagnostics for a bug report" }),
      h("h2", null, "Secrets"),
      h("p", { class: "explanation" }, "You can remove a secret that has not been used for a long time. Usage is counted since this RBS instance started."),
      table({
        caption: "Accepted secrets",
        rows: found.secrets,
        id: (secret) => `${secret.kind} ${secret.fingerprint}`,
        columns: [
          { name: "Secret", cell: (secret) => h("code", null, secret.fingerprint) },
          { name: "Name", cell: (secret) => secret.name ?? NOTHING },
          { name: "Allowed for", cell: (secret) => KINDS[secret.kind] },
          { name: "Last used", important: true, cell: (secret) => when(secret.last_used) },
          { name: "Requests", number: true, cell: (secret) => count(secret.requests) },
        ],
      }),
      h("h2", null, "Rating parameters"),
      h("p", { class: "explanation" }, `The parameters of the model ${model}, and the round from which each change applies.${earlier ? " Earlier changes are not shown." : ""}`),
      table({
        caption: "Changes to the rating parameters, newest first",
        empty: "No rounds yet.",
        rows: history,
        sortable: false,
        id: ({ position }) => position,
        columns: [
          { name: "Since", cell: (period) => when(period.began_at) },
          { name: "Log entry", number: true, cell: ({ position }) => count(position) },
          { name: "Change", important: true, wrap: true, cell: ({ changes }) => changes.map(written).join(", ") || "initial values" },
        ],
      }),
      h("details", null,
        h("summary", null, "Current values of ", plural(Object.keys(parameters).length, "parameter")),
        table({
          caption: "Current rating parameters",
          rows: Object.entries(parameters),
          id: ([name]) => name,
          columns: [
            { name: "Parameter", cell: ([name]) => name },
            { name: "Value", number: true, cell: ([, value]) => String(value) },
          ],
        })),
      h("h2", null, "Settings"),
      field("settings-wanted", "Show only settings that contain", { type: "search", value: wanted, spellcheck: "false", oninput: filter }),
      h("div", { id: "settings-found", class: "view" }, groups(found.settings, names, wanted))),
  };
}

/** Returns the group of a setting: the common ones, a pool or a server. The names sort in this order. */
function groupOf({ setting }, pools) {
  if (setting.startsWith("servers.")) {
    return `Server ${setting.slice("servers.".length, setting.lastIndexOf("."))}`;
  }
  const own = pools.filter((pool) => setting.startsWith(`pools.${pool}.`)).sort((one, other) => other.length - one.length);
  return own.length > 0 ? `Pool ${own[0]}` : COMMON;
}

/** Returns the settings that contain `wanted`, by group. The groups of pools and servers are folded without `wanted`. */
function groups(settings, pools, wanted) {
  const text = wanted.trim().toLowerCase();
  const found = settings.filter(({ setting, value }) => `${setting} ${shown(value)}`.toLowerCase().includes(text));
  return [
    h("p", { class: "explanation", role: "status" }, `${count(found.length)} of ${plural(settings.length, "setting")}. Configured settings come first.`),
    ...[...Map.groupBy(found, (one) => groupOf(one, pools))].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true })).map(([name, rows]) => {
      const isOwn = ({ from }) => !["default", "computed"].includes(from);
      return h("details", { "data-key": name, open: text !== "" || name === COMMON },
        h("summary", null, `${name} (${count(rows.filter(isOwn).length)} of ${count(rows.length)} configured)`),
        every(name, rows.sort((one, other) => isOwn(other) - isOwn(one))));
    }),
  ];
}

function shown(value) {
  return value === null ? "not set" : typeof value === "string" ? value : JSON.stringify(value);
}

function every(caption, rows) {
  return table({
    caption,
    rows,
    id: ({ setting }) => setting,
    columns: [
      { name: "Setting", wrap: true, cell: ({ setting }) => setting },
      { name: "Value", important: true, wrap: true, cell: ({ value }) => shown(value) },
      { name: "Source", wrap: true, cell: ({ from, place }) => [from.replace("_", " "), place].filter(Boolean).join(": ") },
    ],
  });
}

/** Shows the message that `work` returns, or its error. */
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
    return `Settings reloaded. ${changed.length > 0 ? `Changed: ${changed.join(", ")}` : "Nothing has changed"}.${answer.restart.length > 0 ? ` Takes effect after a restart: ${answer.restart.join(", ")}.` : ""}`;
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
      return "Copied. Check the text for private data before you share it.";
    } catch {
      // Browsers allow clipboard access over https only.
      return "Copy the selected text, and check it for private data before you share it.";
    }
  });
}
