//! The queries of a unit of work on seasons.

use super::{Inner, Tx, within};
use crate::domain::{PlayerId, Rating};
use crate::store::{CalendarLook, Change, PoolId, SeasonStanding, StoreError, postgres, sqlite};

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
        = save_standings::save_standings;

    /// Deletes who everybody was at that place of the log.
    fn delete_season_standings(pool: PoolId, position: u64) -> () = sql::seasons::delete;

    /// Deletes who those of the players were at that place of the log.
    fn delete_season_standings_of(pool: PoolId, position: u64, players: &[PlayerId]) -> () = sql::seasons::delete_of;

    /// The last look at the pool's calendar of seasons; `None` where it had none.
    fn calendar_look(pool: PoolId) -> Option<CalendarLook> = sql::seasons::calendar_look;

    /// Notes the last look at the pool's calendar of seasons.
    fn set_calendar_look(pool: PoolId, look: Option<CalendarLook>) -> () = sql::seasons::set_calendar_look;
}
