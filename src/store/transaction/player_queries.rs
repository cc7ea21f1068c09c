//! Queries of a unit of work on seasons, ranks, names, and lists of all players.

use super::{Inner, Tx, within};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Rating, Timestamp};
use crate::rating::{Entry, PlayerState};
use crate::store::{
    CalendarLook, Change, ListedPlayer, NameRecord, NameSource, PoolId, Ranked, SeasonStanding,
    StoreError, postgres, sqlite,
};

queries! {
    /// The starts of the pool's seasons that are not undone, in the order of its log.
    fn season_starts(pool: PoolId) -> Vec<Change> = sql::seasons::starts;

    /// Of each place of the log at which a season ever started: how many had been rated in the one before, and how many
    /// of them had a rank.
    fn season_counts(pool: PoolId) -> Vec<(u64, u64, u64)> = sql::seasons::counts;

    /// How many had a rank at that place of the log, where a season started.
    fn season_ranked(pool: PoolId, position: u64) -> u64 = sql::seasons::ranked;

    /// Who everybody was at that place of the log, where a season started, by player.
    fn season_standings(pool: PoolId, position: u64) -> Vec<SeasonStanding> = sql::seasons::standings;

    /// Up to `limit` of those who had that `rank` or one below it there, the highest rating first, behind the `last` one.
    fn season_ranked_after(pool: PoolId, position: u64, last: Option<(Rating, PlayerId)>, rank: u32, limit: u32)
        -> Vec<SeasonStanding> = sql::seasons::ranked_after;

    /// Who those of the players were who were there at each place of the log at which a season ever started, in the
    /// order of the log.
    fn season_standings_of(pool: PoolId, players: &[PlayerId]) -> Vec<(u64, SeasonStanding)>
        = sql::seasons::of_players;

    /// Writes who players were at that place of the log.
    fn save_season_standings(pool: PoolId, position: u64, standings: &[SeasonStanding]) -> ()
        = save_batch::save_standings;

    /// Deletes who everybody was at that place of the log.
    fn delete_season_standings(pool: PoolId, position: u64) -> () = sql::seasons::delete;

    /// Deletes who those of the players were at that place of the log.
    fn delete_season_standings_of(pool: PoolId, position: u64, players: &[PlayerId]) -> () = sql::seasons::delete_of;

    /// The last look at the pool's calendar of seasons; `None` where it had none.
    fn calendar_look(pool: PoolId) -> Option<CalendarLook> = sql::seasons::calendar_look;

    /// Notes the last look at the pool's calendar of seasons.
    fn set_calendar_look(pool: PoolId, look: Option<CalendarLook>) -> () = sql::seasons::set_calendar_look;
}

queries! {
    /// How many of the pool's players have a rank.
    fn count_ranked(pool: PoolId, ranked: Ranked) -> u64 = sql::ranks::count;

    /// How many of the pool's players who have a rank have each rating, ratings descending.
    fn ranked_ratings(pool: PoolId, ranked: Ranked) -> Vec<(Rating, u64)> = sql::ranks::ratings;

    /// Up to `limit` of the pool's players who have a rank, ratings descending and then by id, from
    /// behind that rating and player on.
    fn ranked_after(
        pool: PoolId, ranked: Ranked, last: Option<(Rating, PlayerId)>, limit: u32
    ) -> Vec<PlayerState> = sql::ranks::after;

    /// Up to `limit` of them in the same order, behind the first `before`.
    fn ranked_from(pool: PoolId, ranked: Ranked, before: u64, limit: u32) -> Vec<PlayerState>
        = sql::ranks::from;

    /// How many of the pool's players who have a rank are rated higher than the `first` of a page,
    /// and how many stand before it in the list.
    fn ranked_before(pool: PoolId, ranked: Ranked, first: (Rating, PlayerId)) -> (u64, u64)
        = sql::ranks::before;
}

queries! {
    /// What is known of how `players` are called, in no particular order.
    fn player_names(players: &[PlayerId]) -> Vec<NameRecord> = sql::names::find;

    /// Up to `limit` players whose name or alias has `folded` in it, which is in lower case: those first whose begins
    /// with it.
    fn search_player_names(folded: &str, limit: u32) -> Vec<PlayerId> = sql::names::search;

    /// Keeps what players were called, by id and each once, but of those who are forgotten, or whose name is of a later
    /// moment; and where the names came from.
    fn save_player_names(
        names: &[(PlayerId, PlayerDisplayName, Timestamp)], from: NameSource
    ) -> () = save_batch::save_names;

    /// Deletes the names of strangers that came before the cutoff, and all but the last `most` of them. Players with an
    /// alias and forgotten players stay.
    fn delete_old_strangers(cutoff: Timestamp, most: u32) -> () = sql::names::delete_old_strangers;

    /// Counts the names that were sent with the secret from the first moment on and before the second.
    fn count_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> u64 = sql::names::count_of_secret;

    /// Deletes the names that [`Tx::count_names_of_secret`] counts.
    fn delete_names_of_secret(
        secret: Fingerprint, received: (Option<Timestamp>, Option<Timestamp>)
    ) -> () = sql::names::delete_of_secret;

    /// Calls a player so above the name, or no longer.
    fn set_player_alias(player: PlayerId, alias: Option<&PlayerDisplayName>, at: Timestamp) -> ()
        = sql::names::set_alias;

    /// Deletes the player's name and alias, and keeps none from then on. Where that `hides_id`, the player has a
    /// pseudonym, else none.
    fn forget_player(player: PlayerId, hides_id: bool, at: Timestamp) -> () = sql::names::forget;

    /// Up to `limit` of the pool's players behind `last`, by id, for lists.
    fn listed_players_after(pool: PoolId, last: Option<PlayerId>, limit: u32)
        -> Vec<ListedPlayer> = sql::players::listed_after;

    /// The last entry of each of `players` up to the place of the log, and others of its row, each player's in the order of
    /// the log; of whoever had none by then, none or later ones.
    fn entries_around(pool: PoolId, players: &[PlayerId], position: u64) -> Vec<Entry>
        = sql::entries::around;

    /// Whose rating admins have set or reset in the pool, each once, in no particular order.
    fn changed_players(pool: PoolId) -> Vec<PlayerId> = sql::changes::changed_players;

    /// Keeps the player's names again from now on.
    fn remember_player(player: PlayerId) -> () = sql::names::remember;
}
