// A player's page: rating, history, and admin actions.

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
import { changes } from "./player/change.js";
import { naming } from "./player/naming.js";
import { distribution, standing, tallies } from "./player/profile.js";
import { powers } from "./player/powers.js";
import { knownSettings, settingMarks, together } from "./settings/marks.js";

const POINTS = 500;

export async function player(here) {
  const { rest, query, pool, show } = here;
  const id = steamId64(rest[0] ?? "");
  if (id === null) {
    return { title: "Not a Steam ID", tree: h("div", null, h("h1", null, "Not a Steam ID"), h("p", null, "Use one of these forms: 76561197960265729, STEAM_0:1:0 or [U:1:1].")) };
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
      h("p", { class: "muted" }, !found.value.id_hidden && [h("a", { href: `https://steamcommunity.com/profiles/${id}`, rel: "noreferrer" }, id), " · ", spellings(id).join(" · "), " · "], `pool ${pool.pool}`, page && [" · ", h("a", { href: page }, "Public page")]),
      h("p", null, h("button", { type: "button", class: "button", onclick: toChange }, "Change this player")),
      found.value.rounds === 0 && h("p", { class: "notice", "data-key": "new" }, "New in this pool: no counted rounds yet, or none since the last reset."),
      cards(found.value, pool, profile.value, settings),
      spanPicker(here),
      h("div", { class: "panels" },
        orReason("Rating over time", history, (points) => course(points, settingMarks(settings, pool.pool))),
        orReason("Compared with others", profile, distribution),
        lastRounds(profile.value ?? found.value, query.pool),
        profile.value && tallies(profile.value, query.pool),
        orReason("Powers", worth, powers),
        orReason("Settings changes", settings, () => null),
        changes(found.value, pool, show),
        naming(found.value, pool, show))),
  };
}

/** Scrolls to the forms at the end of the page. */
function toChange() {
  const form = document.querySelector(".change");
  form.closest(".actions").open = true;
  form.scrollIntoView();
  form.elements.rating.focus({ preventScroll: true });
}

function cards(found, pool, profile, { value: settings }) {
  const { window } = found;
  const most = settings?.pools.find((one) => one.pool === pool.pool)?.parameters.k_max;
  return h("div", { class: "cards" },
    card("Rating", count(found.rating), [found.visible ? "visible" : "hidden", ...(found.stale ? ["stale"] : [])],
      found.visible ? "Players can see this rating." : `Hidden from players until ${plural(pool.shadow_rounds, "round")} are played${profile ? `: ${count(profile.rounds_until_visible)} to go` : ""}.`),
    profile && standing(profile),
    card("Rounds", count(found.rounds), [["last ", when(found.last_played)]],
      "Counted rounds in which this player was rated."),
    card("K-factor", fixed(found.k, 1), most ? [`at most ${fixed(most, 1)}`] : [],
      `The largest number of points by which the next round can move the rating. ${found.convergence < 0.5 ? "Rounds move this rating less than a new player's, because it has settled; they move it more again if results stop matching the predictions." : "Rounds move the rating less once it stops drifting and the results match the predictions."} The further the rating is from ${count(pool.initial_rating)}, the less it moves.`),
    card("Unsettled", fixed(found.convergence, 2), ["of 1"],
      "How much the rating is still changing: 1 for a new player, 0 for a settled rating. It determines how far a round can move the rating (the K-factor)."),
    card("Trend", plural(window.n, "round"), [`velocity ${fixed(window.velocity, 3)}`, `win rate excess ${fixed(window.win_rate_excess, 3)}`, `volatility ${fixed(window.volatility, 3)}`],
      "How many of the player's latest rounds RBS uses for the value \"Unsettled\". It depends on velocity (how far the rating drifts), win rate excess (wins beyond the predictions) and volatility (how much the rating swings)."));
}

const KINDS = { round: "a round", set: "set by an admin", reset: "reset by an admin", season: "start of a season" };

function course({ points }, settings) {
  const x = timeline(points.map((point) => point.at));
  const changed = points.flatMap((point, place) => (point.change === "round" ? [] : [{ x: x[place], text: `${count(point.rating)}, ${KINDS[point.change]}` }]));
  const last = points.at(-1);
  let number = 0;
  // An admin's change is placed at the round before it.
  const rounds = points.map((point) => (number = point.round_number ?? number));
  return chart({
    name: "Rating over time",
    explanation: "The rating after each round and after each change by an admin.",
    summary: last ? `Line chart of the rating over time, ${points.length} points, from ${count(points[0].rating)} to ${count(last.rating)}.` : "",
    plot: {
      kind: "lines", time: true, steps: true, x, rounds, marks: together(changed, settings.filter((mark) => mark.x >= x[0] && mark.x <= x.at(-1))),
      notes: points.map((point) => (point.server ? `after a round on ${point.server}` : point.change === "round" ? "after a round" : KINDS[point.change])),
      series: [{ name: "Rating", values: points.map((point) => point.rating), colour: "series-1", digits: 0 }],
    },
    columns: [
      { name: "When", cell: (point) => when(point.at) },
      { name: "Rating", number: true, cell: (point) => count(point.rating) },
      { name: "Cause", cell: (point) => (point.round_id ? [roundLink(point, null), ` on ${point.server}`] : KINDS[point.change]) },
    ],
    rows: [...points].reverse(),
  });
}

function result(round) {
  return round.winner === "draw" ? "drew" : round.winner === round.team ? "won" : "lost";
}

/** Returns the formula that gave a rating change, with its numbers. */
function why(round) {
  const score = round.winner === "draw" ? 0.5 : round.winner === round.team ? 1 : 0;
  return `${fixed(round.k, 1)} × (${fixed(score, score === 0.5 ? 1 : 0)} − ${fixed(round.win_probability, 3)})`;
}

function lastRounds({ id, last_rounds: rounds }, pool) {
  return h("section", { class: "panel wide", "data-key": "last rounds" },
    h("h2", null, "Latest rounds"),
    h("p", { class: "explanation" }, "Change = K-factor × (result − predicted win probability of the player's team). The result is 1 for a win, 0.5 for a draw and 0 for a loss."),
    table({
      caption: "Latest rounds of this player",
      empty: "No rounds yet.",
      rows: rounds,
      few: 10,
      id: (round) => `${round.server} ${round.round_id}`,
      columns: [
        { name: "Ended", cell: (round) => roundLink(round, pool, when(round.ended_at)) },
        { name: "Map", important: true, cell: (round) => round.map ?? NOTHING },
        { name: "Result", important: true, cell: result },
        { name: "Odds", important: true, number: true, cell: (round) => percent(round.win_probability) },
        { name: "Change", important: true, number: true, cell: (round) => gain(round.delta) },
        { name: "Rating", number: true, cell: (round) => count(round.rating) },
        { name: "K × (result − odds)", number: true, cell: why },
        { name: "Team", cell: (round) => team(round.team) },
        { name: "Server", cell: (round) => round.server },
        { name: "Round ID", cell: (round) => round.round_id },
      ],
    }),
    rounds.length > 0 && h("p", null, h("a", { href: address("rounds", [], { pool, player: id }) }, "All rounds of this player")));
}
