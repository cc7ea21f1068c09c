// The leaderboard: active players whose rating is shown.

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
      found.season > 0 || past ? h("p", { class: "season" }, h("a", { href: address("seasons", [], { pool: query.pool }) }, found.season_name ?? "Before the first season"), past ? ", final standings." : ", still running.") : null,
      h("p", { class: "explanation" }, `${plural(found.ranked, "ranked player")}, as of ${moment(found.computed_at)}. A player is ranked once the rating is no longer hidden${past ? " and the season's placement rounds are played" : `, and while the last round is at most ${plural(pool.stale_days, "day")} ago`}. `,
        pool.leaderboard_public ? h("a", { href: `/leaderboard?pool=${encodeURIComponent(pool.pool)}` }, "Public leaderboard") : "Players cannot see this leaderboard; the pool's setting leaderboard.public can make it public."),
      table({
        caption: "Players by rating",
        empty: "No player is ranked yet.",
        rows: found.players,
        id: (player) => player.id,
        columns: [
          { name: "Rank", number: true, cell: (player) => count(player.rank) },
          { name: "Player", cell: (player) => [playerLink(player.id, pool.pool, player.name), player.placing_rounds > 0 && h("span", { class: "muted" }, " in placement")] },
          { name: "Rating", number: true, cell: (player) => count(player.rating) },
          ...(divisions ? [{ name: "Division", cell: (player) => player.division ?? NOTHING }] : []),
          { name: "Rounds", number: true, cell: (player) => count(player.rounds) },
          { name: "Change in 30 days", number: true, cell: (player) => (player.change_30_days === null ? NOTHING : gain(player.change_30_days)) },
          { name: "Last played", cell: (player) => (player.last_played ? when(player.last_played) : NOTHING) },
        ],
      }),
      h("p", { class: "pages" },
        query.after && h("a", { class: "button", href: address("leaderboard", [], here) }, "First page"),
        found.next && h("a", { class: "button", href: address("leaderboard", [], { ...here, after: found.next }) }, "Next page"))),
  };
}
