use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LastRoundAnswer, PlayerAnswer};
use crate::domain::{
    MapName, PlayerDisplayName, PlayerId, Rating, SeasonName, ServerName, Timestamp,
};

/// Answer of `GET /v1/players/{id}/profile`: a player compared with the others of a pool, and the player's record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProfileAnswer {
    /// The player of the profile, with the current rating.
    #[serde(flatten)]
    pub player: PlayerAnswer,
    /// `true` if people must not see the player's id; show `name` in place of the id.
    pub id_hidden: bool,
    /// Time at which the profile was computed.
    pub computed_at: Timestamp,
    /// Number of rated rounds until the player's rating is shown; 0 if the rating is shown.
    pub rounds_until_visible: u32,
    /// Rank of the player by rating within the pool: 1 is the best, and equal ratings share a rank. `null` if the
    /// rating is hidden or the player is stale.
    pub rank: Option<u64>,
    /// Number of players of the pool who have a rank.
    pub ranked: u64,
    /// Share of the other ranked players with a lower rating, from 0 to 1; `null`
    /// without a rank, or if nobody else has one.
    pub better_than: Option<f64>,
    /// Name of the division that the player's rank falls in; `null` without a rank, or if no division covers the rank.
    pub division: Option<String>,
    /// The next higher division, and what the player lacks for it; `null` without a rank, or if there is none higher.
    pub next_division: Option<NextDivisionAnswer>,
    /// The divisions of the pool, the highest first.
    pub divisions: Vec<DivisionAnswer>,
    /// Distribution of the ratings of the pool's ranked players: bins without gaps, in ascending order.
    pub distribution: Vec<RatingBinAnswer>,
    /// Results and streaks of the player's rounds since the last reset, over at most the last 100,000 rounds.
    pub record: RecordAnswer,
    /// Results of the player's last 500 rounds since the last reset, grouped by map, server and other players.
    pub recent: RecentAnswer,
    /// The player's standings at the end of each season played, the latest season first.
    pub seasons: Vec<PastSeasonAnswer>,
    /// Last rounds of the player, at most 20, the latest first.
    pub last_rounds: Vec<LastRoundAnswer>,
}

/// A player's standing at the end of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PastSeasonAnswer {
    /// Number of the season. Season 0 is the time before the first season start.
    pub number: u32,
    /// Name of the season; `null` for season 0.
    pub name: Option<SeasonName>,
    /// Time at which the season ended.
    pub ended_at: Timestamp,
    /// Rank by rating at the end of the season, 1 for the best; `null` if the player had no rank.
    pub rank: Option<u64>,
    /// Rating of the player at the end of the season, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds in the season.
    pub rounds: u32,
}

/// The next higher division of a player, and what the player lacks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextDivisionAnswer {
    /// Name of the next higher division of the player.
    pub name: String,
    /// Lowest current rating in the next higher division of the player, in points.
    pub rating: Rating,
    /// Number of points that the player lacks for the lowest rating in the next higher division.
    pub points: i32,
    /// Number of ranks that the player lacks for the next higher division.
    pub ranks: u64,
}

/// A division of a pool: a range of ranks with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DivisionAnswer {
    /// Name of the division, a range of ranks of the pool.
    pub name: String,
    /// Lower bound of the division: share of the ranked players below it, in percent.
    pub from_percentile: f64,
    /// Number of ranked players in the division.
    pub players: u64,
}

/// A bin of the distribution of ratings, with the number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingBinAnswer {
    /// Lower end of the bin of ratings, in points, inclusive.
    pub from: i32,
    /// Upper end of the bin of ratings, in points, exclusive.
    pub to: i32,
    /// Number of ranked players whose rating is at least `from` and below `to`.
    pub players: u64,
}

/// Results of a player's rounds, and the predicted results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TallyAnswer {
    /// Number of rounds of the player that `won`, `drawn` and `lost` count together.
    pub rounds: u32,
    /// Number of rounds that the player won.
    pub won: u32,
    /// Number of rounds that the player drew.
    pub drawn: u32,
    /// Number of rounds that the player lost.
    pub lost: u32,
    /// Sum of the predicted win probabilities of the player's teams over the counted rounds. Compare with `won` plus
    /// half of `drawn`.
    pub expected: f64,
}

/// Record of a player's rounds: results, streaks and highest rating.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordAnswer {
    /// End of the earliest round in the player's record; `null` without rounds.
    pub since: Option<Timestamp>,
    /// Numbers of rounds won, drawn and lost by the player in the record, and the predicted number of wins.
    #[serde(flatten)]
    pub tally: TallyAnswer,
    /// Current streak: the player's last consecutive rounds with the same result; `null` without rounds.
    pub streak: Option<StreakAnswer>,
    /// Longest run of wins of the player, the latest of several equally long; `null` without a win.
    pub longest_winning: Option<StreakAnswer>,
    /// Longest run of losses of the player, the latest of several equally long; `null` without a loss.
    pub longest_losing: Option<StreakAnswer>,
    /// Highest rating of the player, including ratings set by admins, and when it was first reached; `null` without
    /// rounds.
    pub peak: Option<PeakAnswer>,
}

/// Consecutive rounds of a player with the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreakAnswer {
    /// Result for the player of every round of the streak: win, draw or loss.
    pub result: ResultName,
    /// Number of consecutive rounds in the streak, all with the result `result`: wins, draws or losses.
    pub rounds: u32,
    /// Time at which the last round of the streak ended.
    pub ended_at: Timestamp,
}

/// Result of a round for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ResultName {
    /// Win: the player's team won the round.
    Won,
    /// Draw: neither team won the round.
    Drawn,
    /// Loss: the player's team lost the round.
    Lost,
}

/// Highest rating that a player has had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PeakAnswer {
    /// Highest rating that the player has had, in points.
    pub rating: Rating,
    /// End of the round, or time of the change, that led to the highest rating.
    pub at: Timestamp,
}

/// The last rounds of a player, grouped by map, server and other players.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecentAnswer {
    /// Number of the player's rounds in the tallies by map, server and other players: at most the last 500, without
    /// pruned rounds (moved out of the database).
    pub rounds: u32,
    /// End of the earliest of the player's rounds in the tallies by map, server and other players; `null` without
    /// rounds.
    pub since: Option<Timestamp>,
    /// Results of the player by map: the 30 maps with the most rounds, most rounds first.
    pub by_map: Vec<MapTallyAnswer>,
    /// Results of the player by server: the 30 servers with the most rounds, most rounds first.
    pub by_server: Vec<ServerTallyAnswer>,
    /// Teammates: the 20 other players most often rated on the player's team, most rounds first.
    pub partners: Vec<OtherPlayerAnswer>,
    /// Opponents: the 20 other players most often rated on the opposing team, most rounds first.
    pub opponents: Vec<OtherPlayerAnswer>,
}

/// A player's results on one map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapTallyAnswer {
    /// Name of the map; `null` for rounds without a reported map.
    pub map: Option<MapName>,
    /// Numbers of rounds won, drawn and lost by the player on the map, and the predicted number of wins.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

/// A player's results on one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerTallyAnswer {
    /// Name of the server.
    pub server: ServerName,
    /// Numbers of rounds won, drawn and lost by the player on the server, and the predicted number of wins.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

/// A player's results together with, or against, another player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OtherPlayerAnswer {
    /// Id of the teammate or opponent of the profile's player.
    pub id: PlayerId,
    /// Name of the teammate or opponent to show in place of the id; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
    /// `true` if people must not see the id of the teammate or opponent; show `name` in place of the id.
    pub id_hidden: bool,
    /// Results of the rounds that both players played, for the player of the profile.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

impl TallyAnswer {
    /// Returns the player's score: the number of rounds won plus half of the drawn rounds.
    pub(crate) fn score(&self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }

    /// Returns the player's score minus the predicted score, in rounds; negative if the player won less than predicted.
    pub(crate) fn excess(&self) -> f64 {
        self.score() - self.expected
    }
}
