//! Who everybody was as a season ended.

use crate::domain::{PlayerId, Rating, Timestamp};

/// Who a player was as a season ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonStanding {
    /// The player.
    pub player: PlayerId,
    /// The rank, from 1, that those of the same rating share; `None` of who has none.
    pub rank: Option<u64>,
    /// The rating.
    pub rating: Rating,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// Rated rounds in the season.
    pub season_rounds: u64,
    /// Rated rounds ever.
    pub entries: u64,
}

/// A look at the calendar by which a pool's seasons start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarLook {
    /// When.
    pub at: Timestamp,
    /// Which months it had then, a bit for each.
    pub months: u16,
}
