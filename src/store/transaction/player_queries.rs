//! Queries on seasons, ranks, names, and lists of all players.

use super::{Inner, Tx, within};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Rating, Timestamp};
use crate::rating::{Entry, PlayerState};
use crate::store::{
    CalendarCheck, Change, ListedPlayer, NameRecord, NameSource, PoolId, Ranked, SeasonStanding,
    StoreError, postgres, sqlite,
};

queries! {
    /// Returns the number of players with a rank in the season that ended at this log position.
    fn season_ranked(pool: PoolId, position: u64) -> u64 = sql::seasons::ranked;

    /// Returns up to `limit` final standings of the season that ended at this log position, from `rank` on downwards.
    /// The highest rating comes first; `last` is the last player of the previous page.
    fn season_ranked_after(pool: PoolId, position: u64, last: Option<(Rating, PlayerId)>, rank: u32, limit: u32)
        -> Vec<SeasonStanding> = sql::seasons::ranked_after;

    /// Inserts final standings of the season that ended at this log position.
    fn save_season_standings(pool: PoolId, position: u64, standings: &[SeasonStanding]) -> ()
        = save_batch::save_standings;

    /// Returns the last check of the pool's season calendar, if there was one.
    fn calendar_check(pool: PoolId) -> Option<CalendarCheck> = sql::seasons::calendar_check;

    /// Stores the last check of the pool's season calendar, or removes it.
    fn set_calendar_look(pool: PoolId, look: Option<CalendarCheck>) -> () = sql::seasons::set_calendar_look;
}

queries! {
    /// Returns up to `limit` of the pool's ranked players after the player `last`, by descending rating, then by id.
    fn ranked_after(
        pool: PoolId, ranked: Ranked, last: Option<(Rating, PlayerId)>, limit: u32
    ) -> Vec<PlayerState> = sql::ranks::after;
}

queries! {
    /// Returns up to `limit` players whose name or alias contains `folded`, a lower-case text. Names that begin with
    /// the text come first.
    fn search_player_names(folded: &str, limit: u32) -> Vec<PlayerId> = sql::names::search;

    /// Stores names of players with their source. The names are sorted by player, each player once. Ignores forgotten
    /// players, and names older than the stored one.
    fn save_player_names(
        names: &[(PlayerId, PlayerDisplayName, Timestamp)], from: NameSource
    ) -> () = save_batch::save_names;

    /// Returns the number of names sent with the secret, at or after the first time of `received` and before the
    /// second.
    fn count_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> u64 = sql::names::count_of_secret;

    /// Deletes the player names that [`Tx::count_names_of_secret`] counts.
    fn delete_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> () = sql::names::delete_of_secret;

    /// Sets or removes the alias of a player, which is shown in place of the name.
    fn set_player_alias(player: PlayerId, alias: Option<&PlayerDisplayName>, at: Timestamp) -> ()
        = sql::names::set_alias;

    /// Returns up to `limit` of the pool's players after `last`, by id, with ratings and numbers of rounds and wins.
    fn listed_players_after(pool: PoolId, last: Option<PlayerId>, limit: u32)
        -> Vec<ListedPlayer> = sql::players::listed_after;

    /// Returns the last entry (rated round) of each of `players` up to the log position, with others of its stored row,
    /// in the order of the log. For a player without an entry by then, returns none or only later ones.
    fn entries_around(pool: PoolId, players: &[PlayerId], position: u64) -> Vec<Entry> = sql::rounds::entries::around;
}

statements! {
    /// Returns the season starts of the pool that are not undone, in the order of the log.
    fn season_starts(pool: PoolId) -> Vec<Change>
        = read_all(
            select!(
                changes,
                "from changes where pool_id = $1 and kind = 'season' and not exists (
                     select 1 from changes as undo where undo.pool_id = changes.pool_id
                         and undo.round_position = changes.position and undo.kind = 'undo')
                 order by position"
            ),
            sql::changes::record
        );

    /// Returns for each log position at which a season ended: the position, the number of players rated in that season,
    /// and the number of players with a rank.
    fn season_counts(pool: PoolId) -> Vec<(u64, u64, u64)>
        = read_all(
            "select position, count(*) filter (where season_rounds > 0) as played, count(rank) as ranked
             from season_standings where pool_id = $1 group by position",
            sql::seasons::counts
        );

    /// Returns the final standings of the season that ended at this log position, sorted by player id.
    fn season_standings(pool: PoolId, position: u64) -> Vec<SeasonStanding>
        = read_all(
            select!(
                season_standings,
                "from season_standings where pool_id = $1 and position = $2 order by player_id"
            ),
            sql::seasons::record
        );

    /// Deletes all final standings of the season that ended at this log position.
    fn delete_season_standings(pool: PoolId, position: u64) -> ()
        = execute("delete from season_standings where pool_id = $1 and position = $2");

    /// Ends the effect of [`Tx::forget_player`], so that later names are stored again.
    fn remember_player(player: PlayerId) -> ()
        = execute(
            "update player_names set forgotten_at = null, pseudonym = null where player_id = $1"
        );

    /// Deletes the name and alias of a player, and refuses later names. With `hides_id`, the player gets a pseudonym;
    /// otherwise an existing pseudonym is removed.
    fn forget_player(player: PlayerId, hides_id: bool, at: Timestamp) -> ()
        = execute(
            "insert into player_names (player_id, named_at, forgotten_at, pseudonym)
             select $1, $3, $3, case when $2 then coalesce(
                 (select pseudonym from player_names where player_id = $1),
                 (select coalesce(max(pseudonym), 0) + 1 from player_names)) end
             where true
             on conflict (player_id) do update set
                 name = null, folded_name = null, alias = null, folded_alias = null,
                 named_at = excluded.named_at, forgotten_at = excluded.forgotten_at,
                 pseudonym = excluded.pseudonym"
        );

    /// Deletes the names of strangers (players in no pool) that came before the cutoff, and all but the last `most` of
    /// these names. Keeps players with an alias, and forgotten players.
    fn delete_old_strangers(cutoff: Timestamp, most: u32) -> ()
        = execute(
            "delete from player_names
             where alias is null and forgotten_at is null and stranger_since is not null
                   and (stranger_since < $1 or stranger_since < (
                       select stranger_since from player_names where stranger_since is not null
                       order by stranger_since desc limit 1 offset $2))"
        );

    /// Returns each rating with the number of the pool's ranked players who have it, highest rating first.
    fn ranked_ratings(pool: PoolId, ranked: Ranked) -> Vec<(Rating, u64)>
        = read_all(
            concat!(
                "select rating, count(*) as players from players where",
                of_pool_players!(),
                " and rounds >= $2 and last_played >= $3
                 group by rating order by rating desc"
            ),
            sql::ranks::rating
        );

    /// Returns up to `limit` of the pool's ranked players, by descending rating, then by id. Skips the first `before`
    /// players.
    fn ranked_from(pool: PoolId, ranked: Ranked, before: u64, limit: u32) -> Vec<PlayerState>
        = read_all(
            select!(
                players,
                "from players where",
                of_pool_players!(),
                "and rounds >= $2 and last_played >= $3
                  order by rating desc, player_id limit $5 offset $4"
            ),
            sql::players::record
        );

    /// Returns the stored names of `players`, in no particular order.
    fn player_names(players: &[PlayerId]) -> Vec<NameRecord> = read_all(sql::names::FIND, sql::names::record);

    /// Returns these players' final standings in every season that ended, with the log position of its end, in log
    /// order.
    fn season_standings_of(pool: PoolId, players: &[PlayerId]) -> Vec<(u64, SeasonStanding)>
        = read_all(sql::seasons::OF_PLAYERS, sql::seasons::with_position);

    /// Deletes the final standings of these players in the season that ended at this log position.
    fn delete_season_standings_of(pool: PoolId, position: u64, players: &[PlayerId]) -> ()
        = execute(sql::seasons::DELETE_OF);
}
