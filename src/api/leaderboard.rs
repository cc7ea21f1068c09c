use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{PlayerDisplayName, PlayerId, PoolName, Rating, Timestamp};

/// `GET /v1/leaderboard`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeaderboardAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When it was so.
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
    /// Rated rounds.
    pub rounds: u32,
    /// The rating less what was shown 30 days ago, or less the initial one: what came late counts in.
    pub change_30_days: i32,
    /// When the last round ended.
    pub last_played: Option<Timestamp>,
}
