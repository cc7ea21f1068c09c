// Who is best: those whose rating is shown and who still play.

import { get } from "../api.js";
import { h } from "../dom.js";
import { count, gain, moment, NOTHING, plural, when } from "../format.js";
import { address } from "../router.js";
import { table } from "../table.js";
import { playerLink } from "./links.js";

const LIMIT = 50;

export async function leaderboard({ pool, query }) {
  const found = await get("/v1/leaderboard", { pool: pool.pool, limit: LIMIT, after: query.after, season: query.season });
  const past = query.season !== undefined && found.players.every((player) => player.change_30_days === null);
  const here = { pool: query.pool, season: query.season };
  const divisions = found.players.some((player) => player.division !== null);
  return {
    title: "Leaderboard",
    tree: h("div", { class: "view" },
      h("h1", null, "Leaderboard ", h("span", { class: "of" }, pool.pool)),
      found.season > 0 || past ? h("p", { class: "season" }, h("a", { href: address("seasons", [], { pool: query.pool }) }, found.season_name ?? "Before the first season"), past ? ", as it ended." : " goes on.") : null,
      h("p", { class: "explanation" }, `${plural(found.ranked, "player")} with a rank, as of ${moment(found.computed_at)}: past the shadow period, ${past ? "and placed in the season" : `and not away for more than ${plural(pool.stale_days, "day")}`}. `,
        pool.leaderboard_public ? h("a", { href: `/leaderboard?pool=${encodeURIComponent(pool.pool)}` }, "The page for players") : "There is no public page; the pool's settings can have one."),
      table({
        caption: "Players by rating",
        empty: "Nobody has a rank yet.",
        rows: found.players,
        id: (player) => player.id,
        columns: [
          { name: "Rank", number: true, cell: (player) => count(player.rank) },
          { name: "Player", cell: (player) => [playerLink(player.id, pool.pool, player.name), player.placing_rounds > 0 && h("span", { class: "muted" }, " placing")] },
          { name: "Rating", number: true, cell: (player) => count(player.rating) },
          ...(divisions ? [{ name: "Division", cell: (player) => player.division ?? NOTHING }] : []),
          { name: "Rounds", number: true, cell: (player) => count(player.rounds) },
          { name: "Change in 30 days", number: true, cell: (player) => (player.change_30_days === null ? NOTHING : gain(player.change_30_days)) },
          { name: "Last played", cell: (player) => (player.last_played ? when(player.last_played) : NOTHING) },
        ],
      }),
      h("p", { class: "pages" },
        query.after && h("a", { class: "button", href: address("leaderboard", [], here) }, "To the top"),
        found.next && h("a", { class: "button", href: address("leaderboard", [], { ...here, after: found.next }) }, "Further down"))),
  };
}
