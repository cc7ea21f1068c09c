// The seasons of a pool: the list, and forms to start a season or undo a start.

import { get, send } from "../api.js";
import { confirm, movedRatings } from "../dialog.js";
import { h } from "../dom.js";
import { count, fixed, moment, NOTHING, percent, plural, when } from "../format.js";
import { reporting, say } from "../messages.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { field } from "./panels.js";
import { waitFor } from "./waiting.js";

const PATH = "/v1/admin/seasons";

/** Returns the display name of a season. */
export function seasonName({ number, name }) {
  return name ?? (number === 0 ? "Before the first season" : `Season ${number}`);
}

/** A line about the current season; nothing before the first start. */
export function seasonNotice({ seasons: [now] }, pool) {
  return now.name !== null && h("p", { class: "season" }, "Season ",
    h("a", { href: address("seasons", [], { pool }) }, now.name), ` since ${moment(now.started_at)}.`);
}

export async function seasons({ pool, query, show }) {
  const { seasons: found } = await get(PATH, { pool: pool.pool });
  const of = { pool: query.pool };
  return {
    title: "Seasons",
    tree: h("div", { class: "view" },
      h("h1", null, "Seasons ", h("span", { class: "of" }, pool.pool)),
      h("p", { class: "explanation" }, "When a season starts, every rating moves part of the way back to the initial rating. RBS keeps the final standings of the old season."),
      table({
        caption: "Seasons, newest first",
        empty: "",
        rows: found,
        id: (season) => season.number,
        columns: [
          { name: "Season", wrap: true, cell: (season) => h("a", { href: address("leaderboard", [], { ...of, season: season.number }) }, seasonName(season)) },
          { name: "Rating kept", number: true, cell: ({ keep }) => (keep === null ? NOTHING : percent(keep)) },
          { name: "Started", cell: (season) => (season.started_at ? when(season.started_at) : NOTHING) },
          { name: "Ended", cell: (season) => (season.ended_at ? when(season.ended_at) : "running") },
          { name: "Players", number: true, cell: ({ players }) => (players === null ? NOTHING : count(players)) },
          { name: "Reason", wrap: true, cell: ({ reason }) => reason ?? NOTHING },
          { name: "Undo", cell: (season) => season.change_id && h("button", { type: "button", class: "button danger", "aria-label": `Undo the start of ${season.name}`, onclick: () => undo(season, pool, show) }, "Undo…") },
        ],
      }),
      h("p", { class: "field-error", role: "alert", id: "season-error", "data-keep": true }),
      form(pool, show)),
  };
}

function form(pool, show) {
  const submit = async (event) => {
    event.preventDefault();
    const { elements } = event.target;
    const request = { name: elements.name.value.trim(), keep: Number(elements.keep.value) / 100, calibration: Number(elements.calibration.value), reason: elements.reason.value.trim() || null };
    const done = await reporting(document.getElementById("season-error"), async () => {
      const trial = await send("POST", `${PATH}/trial`, { pool: pool.pool }, { keep: request.keep });
      const agreed = await confirm({
        title: `Start ${request.name}?`,
        text: `Every rating in pool ${pool.pool} keeps ${percent(request.keep)} of its distance from ${count(pool.initial_rating)}. Each player is placed again after ${plural(request.calibration, "round")}. You can undo the start. ${predicted(trial.answer)}`,
        changes: movedRatings(trial.answer.moved),
        reason: request.reason,
        yes: "Start the season",
      });
      if (agreed) {
        await send("POST", PATH, { pool: pool.pool }, request);
      }
      return agreed;
    });
    if (done) {
      say(`${request.name} has started.`);
      event.target.reset();
      await show();
    }
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Start a season" },
    h("h2", null, "Start a season"),
    field("season-name", "Name", { maxlength: 40, required: true }),
    field("season-keep", "Percentage of each rating's distance from the initial rating to keep: 100 keeps all ratings, 0 resets them", { type: "number", min: 0, max: 100, step: 0.1, value: 50, required: true }),
    field("season-calibration", "Rounds until a player is placed", { type: "number", min: 0, max: 500, value: 10, required: true }),
    field("season-reason", "Reason", { maxlength: 500 }),
    h("button", { type: "submit", class: "button primary" }, "Preview…"));
}

/** Describes how an earlier start would have affected the predictions. */
function predicted({ predictions: found, moved }) {
  const ratings = `${plural(moved.players, "rating")} will change. `;
  if (found === null) {
    return `${ratings}The effect on the predictions cannot be calculated: there are no rounds, there are too many to recalculate in time, or some were deleted.`;
  }
  const error = found.standard_error === null ? "" : ` ± ${fixed(found.standard_error, 4)}`;
  return `${ratings}If the season had started on ${moment(found.started_at)}, the predictions of the ${plural(found.rounds, "round")} since then would have had a log loss of ${fixed(found.log_loss_with, 4)} instead of ${fixed(found.log_loss, 4)}: an improvement of ${fixed(found.gain, 4)}${error}. Log loss measures how far predictions were off; lower is better.`;
}

async function undo({ name, change_id: undoes }, pool, show) {
  const done = await reporting(document.getElementById("season-error"), async () => {
    const agreed = await confirm({
      title: `Undo the start of ${name}?`,
      text: "RBS recalculates all ratings as if the season had never started, including rounds played since, and deletes the standings of the season.",
      changes: [],
      yes: "Undo the start",
      dangerous: true,
    });
    if (!agreed) {
      return false;
    }
    const { status } = await send("POST", `${PATH}/undo`, { pool: pool.pool }, { undoes });
    if (status === 202) {
      await waitFor("The start is being undone", async () => {
        const { rebuild } = await get("/v1/admin/rebuild", { pool: pool.pool });
        return { done: rebuild === null, progress: rebuild?.progress ?? null };
      });
    }
    return true;
  });
  if (done) {
    say("All ratings are as if the season had never started.");
    await show();
  }
}
