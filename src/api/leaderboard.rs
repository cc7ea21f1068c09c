use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{PlayerDisplayName, PlayerId, PoolName, Rating, SeasonName, Timestamp};

/// `GET /v1/leaderboard`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeaderboardAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// The season: of the one asked for, or of the one that goes on; 0 before the first start.
    pub season: u32,
    /// What it is called; `null` before the first start.
    pub season_name: Option<SeasonName>,
    /// When it was so: of a season that ended, its end.
    pub computed_at: Timestamp,
    /// How many players have a rank.
    pub ranked: u64,
    /// The players, the highest rating first.
    pub players: Vec<RankedPlayerAnswer>,
    /// What to send as `after` for the next page; `null` at the end.
    pub next: Option<String>,
}

/// A player who has a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RankedPlayerAnswer {
    /// One more than there are players with a higher rating.
    pub rank: u64,
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Whether people are not to be shown the id: `name` stands in its place.
    pub id_hidden: bool,
    /// The rating now.
    pub rating: Rating,
    /// The division; null where the pool has none, or none so low.
    pub division: Option<String>,
    /// Rated rounds; of a season that ended, those in it.
    pub rounds: u32,
    /// How many more rounds of the season it takes until the player is placed; 0 where it is so.
    pub placing_rounds: u32,
    /// The rating less what was shown 30 days ago, or less the initial one: what came late counts in. `null` of a
    /// season that ended.
    pub change_30_days: Option<i32>,
    /// When the last round ended; `null` of a season that ended.
    pub last_played: Option<Timestamp>,
}
