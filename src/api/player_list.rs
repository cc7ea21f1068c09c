use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::pagination::{Count, PageSize};
use crate::domain::{PlayerDisplayName, PlayerId, PoolName, Rating, SeasonName, Timestamp};

/// Query of `GET /v1/admin/players`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerListQuery {
    /// Name of the pool whose players are listed. Default: `default`.
    pub pool: Option<PoolName>,
    /// Filter: part of the name or alias of a player, or a player's id in any accepted form.
    pub search: Option<String>,
    /// Filter: kind of players to list, such as `stale`.
    #[param(inline)]
    pub filter: Option<PlayerFilter>,
    /// Sort order of the players; the prefix `-` sorts the largest value first. Default: `rank`.
    #[serde(default)]
    #[param(inline)]
    pub sort: PlayerSort,
    /// Rank of the player at which the page starts, or the next existing rank. Allowed only if sorted by `rank` and
    /// without `after`.
    #[param(inline)]
    pub rank: Option<Count<1, 4_294_967_295, 1>>,
    /// Maximum number of players per page. Default: 50.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// Cursor at which the page of players starts: `next` or `previous` of an earlier answer.
    #[param(inline)]
    pub after: Option<Count<0, 4_294_967_295, 0>>,
}

/// Filter of a list of players: kind of players to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerFilter {
    /// Players with a rank: the rating is shown, and the player is not stale.
    Ranked,
    /// Players whose rating is not shown yet.
    Hidden,
    /// Players who are not stale and have rated rounds (across resets) below 100, or below
    /// twice the shadow period if this is more.
    New,
    /// Stale players, who have not played for `stale_days`.
    Stale,
    /// Players with the lowest rating that the pool allows, `min_rating`. There are none under the model `adaptive`, whose
    /// ratings have no floor.
    Floor,
}

/// Sort order of a list of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum PlayerSort {
    /// Order by rank, the best first; players without a rank follow.
    #[default]
    #[serde(rename = "rank")]
    Rank,
    /// Order by rating, the lowest first.
    #[serde(rename = "rating")]
    Rating,
    /// Order by rating, the highest first.
    #[serde(rename = "-rating")]
    RatingDown,
    /// Order by number of rated rounds, the fewest first.
    #[serde(rename = "rounds")]
    Rounds,
    /// Order by number of rated rounds, the most first.
    #[serde(rename = "-rounds")]
    RoundsDown,
    /// Order by change of the rating in 24 hours, the largest loss first.
    #[serde(rename = "change_1_day")]
    ChangeOfDay,
    /// Order by change of the rating in 24 hours, the largest gain first.
    #[serde(rename = "-change_1_day")]
    ChangeOfDayDown,
    /// Order by change of the rating in 7 days, the largest loss first.
    #[serde(rename = "change_7_days")]
    ChangeOfWeek,
    /// Order by change of the rating in 7 days, the largest gain first.
    #[serde(rename = "-change_7_days")]
    ChangeOfWeekDown,
    /// Order by change of the rating in 30 days, the largest loss first.
    #[serde(rename = "change_30_days")]
    ChangeOfMonth,
    /// Order by change of the rating in 30 days, the largest gain first.
    #[serde(rename = "-change_30_days")]
    ChangeOfMonthDown,
    /// Order by `excess_errors` (results against predictions, in standard errors), lowest first, unknown values last.
    #[serde(rename = "excess_errors")]
    Excess,
    /// Order by `excess_errors` (results against predictions, in standard errors), highest first, unknown values last.
    #[serde(rename = "-excess_errors")]
    ExcessDown,
    /// Order by end of the player's last round, the earliest first.
    #[serde(rename = "last_played")]
    LastPlayed,
    /// Order by end of the player's last round, the latest first.
    #[serde(rename = "-last_played")]
    LastPlayedDown,
}

/// Answer of `GET /v1/admin/players`: a page of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerListAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Time at which the list of the pool's players was computed.
    pub computed_at: Timestamp,
    /// Number of players that match the search and the filter.
    pub total: u32,
    /// Number of players before this page that match the search and the filter.
    pub offset: u32,
    /// Players of the page, in the requested order.
    pub players: Vec<ListedPlayerAnswer>,
    /// Players who match the search and are in other pools only, at most `limit`. Empty without a search.
    pub elsewhere: Vec<ElsewherePlayerAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<u32>,
    /// Cursor of the previous page, for the query key `after`; `null` on the first page.
    pub previous: Option<u32>,
}

/// A player found in a pool other than the requested one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ElsewherePlayerAnswer {
    /// Name of the pool in which the player is rated.
    pub pool: PoolName,
    /// Id of the player found in the other pool.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
}

/// A player in a list for admins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the answer")]
pub struct ListedPlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// `true` if people must not see the player's id; show `name` in place of the id.
    pub id_hidden: bool,
    /// Rank of the player by rating: 1 plus the number of ranked players with a higher rating. `null` if the rating is
    /// hidden or the player is stale.
    pub rank: Option<u32>,
    /// Name of the division that the player's rank falls in; `null` without a rank, or if no division covers the rank.
    pub division: Option<String>,
    /// Current rating of the player, in points.
    pub rating: Rating,
    /// `true` if the player has the lowest possible rating of the pool, `min_rating`; always `false` under the model
    /// `adaptive`.
    pub at_floor: bool,
    /// `true` if the player's rating is shown, which is after the player's first `shadow_rounds` rated rounds.
    pub visible: bool,
    /// `true` if the player's last rated round ended more than `stale_days` days ago.
    pub stale: bool,
    /// Number of the player's rated rounds since the last reset.
    pub rounds: u32,
    /// Number of placement rounds that the player still has to play in the season; 0 if none are left, or if no season
    /// has started.
    #[serde(default)]
    pub placing_rounds: u32,
    /// End of the player's last rated round; `null` if the player has none.
    pub last_played: Option<Timestamp>,
    /// Current rating of the player minus the rating 24 hours ago, in points.
    pub change_1_day: i32,
    /// Current rating of the player minus the rating 7 days ago, in points.
    pub change_7_days: i32,
    /// Current rating of the player minus the rating 30 days ago, in points.
    pub change_30_days: i32,
    /// Mean score of the player minus mean prediction over all rated rounds across resets, from -1 to 1; above 0 if the
    /// player wins more than predicted; `null` without rounds.
    pub excess: Option<f64>,
    /// Mean score of the player minus mean prediction (`excess`), in standard errors. Values beyond 3 or -3 are hardly
    /// chance. `null` if the standard error is unknown.
    pub excess_errors: Option<f64>,
}

/// Answer of `GET /v1/leaderboard`: a page of the ranked players of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeaderboardAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Number of the season of this leaderboard. Season 0 is the time before the first season start.
    pub season: u32,
    /// Name of the leaderboard's season; `null` for season 0.
    pub season_name: Option<SeasonName>,
    /// Time at which the listed players had their ratings: the current time, or the end of a past season.
    pub computed_at: Timestamp,
    /// Number of players of the pool who have a rank, now or at the end of the past season.
    pub ranked: u64,
    /// Ranked players on this page of the leaderboard, the highest rating first.
    pub players: Vec<RankedPlayerAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<String>,
}

/// A player on a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RankedPlayerAnswer {
    /// Rank of the player by rating: 1 plus the number of ranked players with a higher rating.
    pub rank: u64,
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// `true` if people must not see the player's id; show `name` in place of the id.
    pub id_hidden: bool,
    /// Rating of the player in points, at the time `computed_at`.
    pub rating: Rating,
    /// Name of the division that the player's rank falls in; `null` if no division covers the rank.
    pub division: Option<String>,
    /// Number of the player's rated rounds since the last reset, or in the season if the season is past.
    pub rounds: u32,
    /// Number of placement rounds that the player still has to play in the season; 0 if none are left.
    pub placing_rounds: u32,
    /// Current rating of the player minus the rating shown 30 days ago, or minus the initial rating for players new
    /// since, in points. Includes rounds reported late. `null` for a past season.
    pub change_30_days: Option<i32>,
    /// End of the player's last rated round; `null` for a past season.
    pub last_played: Option<Timestamp>,
}
