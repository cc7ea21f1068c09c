// Forms to set or reset a player's rating and to undo the last change. Each asks for a reason and a confirmation.

import { Away, get, part, send } from "../../api.js";
import { confirm } from "../../dialog.js";
import { h } from "../../dom.js";
import { count, fixed, moment } from "../../format.js";
import { reporting, say } from "../../messages.js";
import { field, problem, reasonField } from "../panels.js";
import { waitFor } from "../waiting.js";

/** The highest rating that an admin can set. */
const HIGHEST = 10_000;

export function changes(found, pool, show) {
  return h("section", { class: "panel wide actions", "data-key": "change" },
    h("h2", null, "Change this player"),
    h("p", { class: "explanation" }, "Each change is recorded in the audit trail with its reason. Earlier rounds are not recalculated."),
    h("div", { class: "changes-side" }, set(found, pool, show), reset(found, pool, show)),
    found.last_change && undo(found, pool, show));
}

function set(found, pool, show) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const rating = Number(form.elements.rating.value);
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, "The rating is set.", async (now) => {
      const agreed = await confirm({
        title: "Set this rating?",
        text: `Player ${found.id} in pool ${pool.pool}.`,
        changes: [["Rating", count(now.rating), count(rating)]],
        reason,
        yes: "Set the rating",
      });
      return agreed && send("PUT", path(found), { pool: pool.pool }, { rating, reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Set a rating" },
    h("h3", null, "Set a rating"),
    field("set-rating", `New rating, ${count(pool.min_rating)} to ${count(HIGHEST)}`, { type: "number", inputmode: "numeric", min: Math.ceil(pool.min_rating), max: HIGHEST, step: 1, required: true }),
    reasonField("set", "plays in the first division"),
    h("button", { type: "submit", class: "button primary" }, "Set the rating…"),
    problem());
}

function reset(found, pool, show) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, "The player is reset.", async (now) => {
      const agreed = await confirm({
        title: "Reset this player?",
        text: `Player ${found.id} starts over in pool ${pool.pool}.`,
        changes: [
          ["Rating", count(now.rating), count(pool.initial_rating)],
          ["Rounds", count(now.rounds), count(0)],
          ["Unsettled", fixed(now.convergence, 2), fixed(1, 2)],
        ],
        reason,
        yes: "Reset the player",
        dangerous: true,
      });
      return agreed && send("POST", `${path(found)}/reset`, { pool: pool.pool }, { reason });
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Reset" },
    h("h3", null, "Reset"),
    h("p", { class: "muted" }, `Makes the player new again: rating ${count(pool.initial_rating)}, hidden, no rounds.`),
    reasonField("reset", "the account was sold"),
    h("button", { type: "submit", class: "button danger" }, "Reset the player…"),
    problem());
}

function undo(found, pool, show) {
  const { change_id: undoes, change, rating, at, reason: why } = found.last_change;
  const what = change === "set" ? `the rating ${count(rating)} set on ${moment(at)}` : `the reset of ${moment(at)}`;
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const reason = form.elements.reason.value.trim();
    return attempt(form, found, pool, show, "The change is undone: all ratings are as if it had never been made.", async (now) => {
      const agreed = await confirm({
        title: `Undo ${what}?`,
        text: `In pool ${pool.pool}, RBS recalculates the ratings of player ${found.id}, and of everybody who played with or against the player since, without this change.`,
        changes: [[change === "set" ? `Rating set on ${moment(at)}` : `Reset of ${moment(at)}`, "counts", "is undone"], ["Rating", count(now.rating), "recalculated"]],
        reason,
        yes: "Undo the change",
        dangerous: true,
      });
      if (!agreed) {
        return false;
      }
      const { status } = await send("POST", `${path(found)}/undo`, { pool: pool.pool }, { undoes, reason });
      if (status === 202) {
        await waitFor("The change is being undone", async () => {
          const { rebuild } = await get("/v1/admin/rebuild", { pool: pool.pool });
          return { done: rebuild === null, progress: rebuild?.progress ?? null };
        });
        const then = await get(path(found), { pool: pool.pool });
        if (then.last_change?.change_id === undoes) {
          throw new Away("the change was not undone: an admin stopped it, or RBS was shut down. Try again");
        }
      }
      return true;
    });
  };
  return h("form", { class: "change", onsubmit: submit, "aria-label": "Undo the last change", "data-key": `undo ${undoes}` },
    h("h3", null, "Undo the last change"),
    h("p", { class: "muted" }, `The last change is ${what}${why ? `, reason: ${why}` : ""}.`),
    reasonField("undo", "it was the wrong player", "Why?"),
    h("button", { type: "submit", class: "button danger" }, `Undo ${change === "set" ? "the rating change" : "the reset"}…`),
    problem());
}

export function path({ id }) {
  return `/v1/admin/players/${part(id)}`;
}

/** Fetches the player's current state, runs `change`, which asks for confirmation, and reports the result. */
export function attempt(form, found, pool, show, done, change) {
  return reporting(form.querySelector(".field-error"), async () => {
    // The player may have changed since the page was drawn.
    const now = await get(path(found), { pool: pool.pool });
    if (await change(now)) {
      form.reset();
      say(done);
      await show();
    }
  });
}
