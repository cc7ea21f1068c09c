//! Queries on seasons, ranks, names, and lists of all players.

use super::{Inner, Tx, within};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Rating, Timestamp};
use crate::rating::{Entry, PlayerState};
use crate::store::{
    CalendarCheck, Change, ListedPlayer, NameRecord, NameSource, PoolId, Ranked, SeasonStanding,
    StoreError, postgres, sqlite,
};

queries! {
    /// Returns the season starts of the pool that are not undone, in the order of the log.
    fn season_starts(pool: PoolId) -> Vec<Change> = sql::seasons::starts;

    /// Returns for each log position at which a season ended: the position, the number of players rated in that season,
    /// and the number of players with a rank.
    fn season_counts(pool: PoolId) -> Vec<(u64, u64, u64)> = sql::seasons::counts;

    /// Returns the number of players with a rank in the season that ended at this log position.
    fn season_ranked(pool: PoolId, position: u64) -> u64 = sql::seasons::ranked;

    /// Returns the final standings of the season that ended at this log position, sorted by player id.
    fn season_standings(pool: PoolId, position: u64) -> Vec<SeasonStanding> = sql::seasons::standings;

    /// Returns up to `limit` final standings of the season that ended at this log position, from `rank` on downwards.
    /// The highest rating comes first; `last` is the last player of the previous page.
    fn season_ranked_after(pool: PoolId, position: u64, last: Option<(Rating, PlayerId)>, rank: u32, limit: u32)
        -> Vec<SeasonStanding> = sql::seasons::ranked_after;

    /// Returns these players' final standings in every season that ended, with the log position of its end, in log
    /// order.
    fn season_standings_of(pool: PoolId, players: &[PlayerId]) -> Vec<(u64, SeasonStanding)>
        = sql::seasons::of_players;

    /// Inserts final standings of the season that ended at this log position.
    fn save_season_standings(pool: PoolId, position: u64, standings: &[SeasonStanding]) -> ()
        = save_batch::save_standings;

    /// Deletes all final standings of the season that ended at this log position.
    fn delete_season_standings(pool: PoolId, position: u64) -> () = sql::seasons::delete;

    /// Deletes the final standings of these players in the season that ended at this log position.
    fn delete_season_standings_of(pool: PoolId, position: u64, players: &[PlayerId]) -> () = sql::seasons::delete_of;

    /// Returns the last check of the pool's season calendar, if there was one.
    fn calendar_check(pool: PoolId) -> Option<CalendarCheck> = sql::seasons::calendar_check;

    /// Stores the last check of the pool's season calendar, or removes it.
    fn set_calendar_look(pool: PoolId, look: Option<CalendarCheck>) -> () = sql::seasons::set_calendar_look;
}

queries! {
    /// Returns each rating with the number of the pool's ranked players who have it, highest rating first.
    fn ranked_ratings(pool: PoolId, ranked: Ranked) -> Vec<(Rating, u64)> = sql::ranks::ratings;

    /// Returns up to `limit` of the pool's ranked players after the player `last`, by descending rating, then by id.
    fn ranked_after(
        pool: PoolId, ranked: Ranked, last: Option<(Rating, PlayerId)>, limit: u32
    ) -> Vec<PlayerState> = sql::ranks::after;

    /// Returns up to `limit` of the pool's ranked players, by descending rating, then by id. Skips the first `before`
    /// players.
    fn ranked_from(pool: PoolId, ranked: Ranked, before: u64, limit: u32) -> Vec<PlayerState>
        = sql::ranks::from;
}

queries! {
    /// Returns the stored names of `players`, in no particular order.
    fn player_names(players: &[PlayerId]) -> Vec<NameRecord> = sql::names::find;

    /// Returns up to `limit` players whose name or alias contains `folded`, a lower-case text. Names that begin with
    /// the text come first.
    fn search_player_names(folded: &str, limit: u32) -> Vec<PlayerId> = sql::names::search;

    /// Stores names of players with their source. The names are sorted by player, each player once. Ignores forgotten
    /// players, and names older than the stored one.
    fn save_player_names(
        names: &[(PlayerId, PlayerDisplayName, Timestamp)], from: NameSource
    ) -> () = save_batch::save_names;

    /// Deletes the names of strangers (players in no pool) that came before the cutoff, and all but the last `most` of
    /// these names. Keeps players with an alias, and forgotten players.
    fn delete_old_strangers(cutoff: Timestamp, most: u32) -> () = sql::names::delete_old_strangers;

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

    /// Deletes the name and alias of a player, and refuses later names. With `hides_id`, the player gets a pseudonym;
    /// otherwise an existing pseudonym is removed.
    fn forget_player(player: PlayerId, hides_id: bool, at: Timestamp) -> () = sql::names::forget;

    /// Returns up to `limit` of the pool's players after `last`, by id, with ratings and numbers of rounds and wins.
    fn listed_players_after(pool: PoolId, last: Option<PlayerId>, limit: u32)
        -> Vec<ListedPlayer> = sql::players::listed_after;

    /// Returns the last entry (rated round) of each of `players` up to the log position, with others of its stored row,
    /// in the order of the log. For a player without an entry by then, returns none or only later ones.
    fn entries_around(pool: PoolId, players: &[PlayerId], position: u64) -> Vec<Entry>
        = sql::rounds::entries::around;

    /// Returns the players whose rating admins have set or reset in the pool, each once, in no particular order.
    fn changed_players(pool: PoolId) -> Vec<PlayerId> = sql::changes::changed_players;

    /// Ends the effect of [`Tx::forget_player`], so that later names are stored again.
    fn remember_player(player: PlayerId) -> () = sql::names::remember;
}
