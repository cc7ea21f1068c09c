use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::pagination::{Count, PageSize};
use crate::domain::{PlayerDisplayName, PlayerId, PoolName, Rating, SeasonName, Timestamp};

/// The query of `GET /v1/admin/players`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerListQuery {
    /// The pool; `default` where it is left out.
    pub pool: Option<PoolName>,
    /// Only players whose name or alias has this in it, or whose id it is, in any form.
    pub search: Option<String>,
    /// Only such players.
    #[param(inline)]
    pub filter: Option<PlayerFilter>,
    /// By what they are sorted: with `-` the largest first, else the smallest; `rank` where it is left out.
    #[serde(default)]
    #[param(inline)]
    pub sort: PlayerSort,
    /// Begins with the first player of this rank or behind it; sorted by `rank` alone.
    #[param(inline)]
    pub rank: Option<Count<1, 4_294_967_295, 1>>,
    /// How many at most; 50 where it is left out.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// The `next` or `previous` of a page.
    #[param(inline)]
    pub after: Option<Count<0, 4_294_967_295, 0>>,
}

/// Which players of a pool are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerFilter {
    /// Who have a rank: visible, and not stale.
    Ranked,
    /// Whose rating is not shown yet.
    Hidden,
    /// Who have not played 100 rounds yet, ever, or twice the shadow period where that is longer, and are not stale.
    New,
    /// Who have not played for too long.
    Stale,
    /// Whose rating is as low as it can be.
    Floor,
}

/// By what players are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum PlayerSort {
    /// By rank, and those behind who have none.
    #[default]
    #[serde(rename = "rank")]
    Rank,
    /// The lowest rating first.
    #[serde(rename = "rating")]
    Rating,
    /// The highest rating first.
    #[serde(rename = "-rating")]
    RatingDown,
    /// The fewest rounds first.
    #[serde(rename = "rounds")]
    Rounds,
    /// The most rounds first.
    #[serde(rename = "-rounds")]
    RoundsDown,
    /// The largest loss of the last 24 hours first.
    #[serde(rename = "change_1_day")]
    ChangeOfDay,
    /// The largest gain of the last 24 hours first.
    #[serde(rename = "-change_1_day")]
    ChangeOfDayDown,
    /// The largest loss of the last 7 days first.
    #[serde(rename = "change_7_days")]
    ChangeOfWeek,
    /// The largest gain of the last 7 days first.
    #[serde(rename = "-change_7_days")]
    ChangeOfWeekDown,
    /// The largest loss of the last 30 days first.
    #[serde(rename = "change_30_days")]
    ChangeOfMonth,
    /// The largest gain of the last 30 days first.
    #[serde(rename = "-change_30_days")]
    ChangeOfMonthDown,
    /// Who wins least beyond the predictions first, in standard errors.
    #[serde(rename = "excess_errors")]
    Excess,
    /// Who wins most beyond the predictions first, in standard errors.
    #[serde(rename = "-excess_errors")]
    ExcessDown,
    /// Who played longest ago first.
    #[serde(rename = "last_played")]
    LastPlayed,
    /// Who played last first.
    #[serde(rename = "-last_played")]
    LastPlayedDown,
}

/// `GET /v1/admin/players`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerListAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When it was so.
    pub computed_at: Timestamp,
    /// How many players there are of those that are meant.
    pub total: u32,
    /// How many of them stand before this page.
    pub offset: u32,
    /// The players.
    pub players: Vec<ListedPlayerAnswer>,
    /// What to send as `after` for the next page; `null` at the end.
    pub next: Option<u32>,
    /// What to send as `after` for the page before; `null` at the beginning.
    pub previous: Option<u32>,
}

/// A player of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the answer")]
pub struct ListedPlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Whether people are not to be shown the id: `name` stands in its place.
    pub id_hidden: bool,
    /// One more than there are ranked players with a higher rating; `null` of a hidden or stale player.
    pub rank: Option<u32>,
    /// The division by that rank; `null` where there is none.
    pub division: Option<String>,
    /// The rating now.
    pub rating: Rating,
    /// Whether it is as low as it can be.
    pub at_floor: bool,
    /// Whether it is shown: the shadow period is over.
    pub visible: bool,
    /// Whether the last round was too long ago.
    pub stale: bool,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// How many more rounds of the season it takes until the player is placed; 0 where it is so, and where no season
    /// has started.
    #[serde(default)]
    pub placing_rounds: u32,
    /// When the last of them ended.
    pub last_played: Option<Timestamp>,
    /// The rating less that of 24 hours ago.
    pub change_1_day: i32,
    /// The rating less that of 7 days ago.
    pub change_7_days: i32,
    /// The rating less that of 30 days ago.
    pub change_30_days: i32,
    /// By how much the player won more than was predicted, over all rated rounds ever, as a share of them: -1 to 1;
    /// `null` before the first.
    pub excess: Option<f64>,
    /// The same in standard errors of what chance does: beyond 3 either way it is hardly chance. `null` where it cannot
    /// be told.
    pub excess_errors: Option<f64>,
}

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
