// One player: the rating and how it came, and what an admin can do about it.

import { each, get, part } from "../api.js";
import { chart } from "../charts/figure.js";
import { timeline } from "../charts/look.js";
import { spanPicker } from "../charts/span.js";
import { h } from "../dom.js";
import { count, fixed, gain, NOTHING, percent, plural, team, when } from "../format.js";
import { address } from "../router.js";
import { spellings, steamId64 } from "../steam_id.js";
import { table } from "../table.js";
import { roundLink } from "./links.js";
import { card, orReason } from "./panels.js";
import { changes } from "./player_change.js";
import { naming } from "./player_naming.js";
import { distribution, standing, tallies } from "./player_profile.js";
import { powers } from "./powers.js";
import { knownSettings, settingMarks, together } from "./settings_marks.js";

const POINTS = 500;

export async function player(here) {
  const { rest, query, pool, show } = here;
  const id = steamId64(rest[0] ?? "");
  if (id === null) {
    return { title: "No player", tree: h("div", null, h("h1", null, "That is no player's id"), h("p", null, "76561197960265729, STEAM_0:1:0 and [U:1:1] are the ways to write one.")) };
  }
  const known = knownSettings();
  const [found, profile, history, worth] = await each([
    get(`/v1/admin/players/${part(id)}`, { pool: pool.pool }),
    get(`/v1/players/${part(id)}/profile`, { pool: pool.pool }),
    get(`/v1/admin/players/${part(id)}/history`, { pool: pool.pool, points: POINTS }),
    get(`/v1/admin/players/${part(id)}/powers`, { pool: pool.pool }),
  ]);
  const settings = await known;
  if (found.error) {
    throw found.error;
  }
  const page = pool.player_pages_public && found.value.rounds > 0 && `/players/${part(id)}?pool=${encodeURIComponent(pool.pool)}`;
  return {
    title: `Player ${found.value.name ?? id}`,
    tree: h("div", { class: "view" },
      h("h1", null, "Player ", h("span", { class: "of" }, h("bdi", null, found.value.name ?? id))),
      h("p", { class: "muted" }, !found.value.id_hidden && [h("a", { href: `https://steamcommunity.com/profiles/${id}`, rel: "noreferrer" }, id), " · ", spellings(id).join(" · "), " · "], `pool ${pool.pool}`, page && [" · ", h("a", { href: page }, "The page for players")]),
      h("p", null, h("button", { type: "button", class: "button", onclick: toChange }, "Change this player")),
      found.value.rounds === 0 && h("p", { class: "notice", "data-key": "new" }, "New in this pool: no round counts since the beginning, or since the last reset."),
      cards(found.value, pool, profile.value),
      spanPicker(here),
      h("div", { class: "panels" },
        orReason("Rating over time", history, (points) => course(points, settingMarks(settings, pool.pool))),
        orReason("Among the others", profile, distribution),
        lastRounds(profile.value ?? found.value, query.pool),
        profile.value && tallies(profile.value, query.pool),
        orReason("Powers", worth, powers),
        orReason("Changes of settings", settings, () => null),
        changes(found.value, pool, show),
        naming(found.value, pool, show))),
  };
}

/** Goes to the forms at the end. */
function toChange() {
  const form = document.querySelector(".change");
  form.scrollIntoView();
  form.elements.rating.focus({ preventScroll: true });
}

function cards(found, pool, profile) {
  const { window } = found;
  return h("div", { class: "cards" },
    card("Rating", count(found.rating), [found.visible ? "visible" : "hidden", ...(found.stale ? ["stale"] : [])],
      found.visible ? "It is shown to players." : `It is hidden until ${plural(pool.shadow_rounds, "round")} are played${profile ? `: ${count(profile.rounds_until_visible)} more` : ""}.`),
    profile && standing(profile),
    card("Rounds", count(found.rounds), [["last ", when(found.last_played)]],
      "Rounds that count and that this player was rated in."),
    card("K-factor", fixed(found.k, 1), [],
      `How many points the next round can move the rating at most. It falls as the rating settles, and the farther the rating is from ${count(pool.initial_rating)}.`),
    card("Unsettled", fixed(found.convergence, 2), ["of 1"],
      "How far the rating is from rest: 1 is new, 0 settled. K follows from it."),
    card("Window", plural(window.n, "round"), [`velocity ${fixed(window.velocity, 3)}`, `win rate excess ${fixed(window.win_rate_excess, 3)}`, `volatility ${fixed(window.volatility, 3)}`],
      "What unsettled comes from: whether the rating drifts, whether more is won than predicted, and how much it swings."));
}

const KINDS = { round: "a round", set: "set by an admin", reset: "reset by an admin", season: "start of a season" };

function course({ points }, settings) {
  const x = timeline(points.map((point) => point.at));
  const changed = points.flatMap((point, place) => (point.change === "round" ? [] : [{ x: x[place], text: `${count(point.rating)}, ${KINDS[point.change]}` }]));
  const last = points.at(-1);
  let number = 0;
  // What an admin changed stands with the round before it.
  const rounds = points.map((point) => (number = point.round_number ?? number));
  return chart({
    name: "Rating over time",
    explanation: "After each round, and after each change by an admin.",
    summary: last ? `Rating over time, a line of ${points.length} points from ${count(points[0].rating)} to ${count(last.rating)}.` : "",
    plot: {
      kind: "lines", time: true, steps: true, x, rounds, marks: together(changed, settings.filter((mark) => mark.x >= x[0] && mark.x <= x.at(-1))),
      notes: points.map((point) => (point.server ? `after a round on ${point.server}` : point.change === "round" ? "after a round" : KINDS[point.change])),
      series: [{ name: "Rating", values: points.map((point) => point.rating), colour: "series-1", digits: 0 }],
    },
    columns: [
      { name: "When", cell: (point) => when(point.at) },
      { name: "Rating", number: true, cell: (point) => count(point.rating) },
      { name: "Because of", cell: (point) => (point.round_id ? [roundLink(point, null), ` on ${point.server}`] : KINDS[point.change]) },
    ],
    rows: [...points].reverse(),
  });
}

function result(round) {
  return round.winner === "draw" ? "drew" : round.winner === round.team ? "won" : "lost";
}

/** Why a round changed the rating as it did, in the terms of the formula. */
function why(round) {
  const score = round.winner === "draw" ? 0.5 : round.winner === round.team ? 1 : 0;
  return `${fixed(round.k, 1)} × (${fixed(score, score === 0.5 ? 1 : 0)} − ${fixed(round.win_probability, 3)})`;
}

function lastRounds({ id, last_rounds: rounds }, pool) {
  return h("section", { class: "panel wide", "data-key": "last rounds" },
    h("h2", null, "Last rounds"),
    h("p", { class: "explanation" }, "A change is K times the result less what was predicted: 1 for a win, 0.5 for a draw, 0 for a loss, less the odds of the player's team."),
    table({
      caption: "The last rounds of this player",
      empty: "No rounds yet.",
      rows: rounds,
      id: (round) => `${round.server} ${round.round_id}`,
      columns: [
        { name: "Ended", cell: (round) => when(round.ended_at) },
        { name: "Round", cell: (round) => roundLink(round, pool) },
        { name: "Server", cell: (round) => round.server },
        { name: "Map", cell: (round) => round.map ?? NOTHING },
        { name: "Team", cell: (round) => team(round.team) },
        { name: "Odds", number: true, cell: (round) => percent(round.win_probability) },
        { name: "Result", cell: result },
        { name: "K × (result − odds)", number: true, cell: why },
        { name: "Change", number: true, cell: (round) => gain(round.delta) },
        { name: "Rating", number: true, cell: (round) => count(round.rating) },
      ],
    }),
    rounds.length > 0 && h("p", null, h("a", { href: address("rounds", [], { pool, player: id }) }, "All rounds of this player")));
}
