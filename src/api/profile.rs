use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LastRoundAnswer, PlayerAnswer};
use crate::domain::{
    MapName, PlayerDisplayName, PlayerId, Rating, SeasonName, ServerName, Timestamp,
};

/// `GET /v1/players/{id}/profile`: how a player does among the others, and how the rounds went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProfileAnswer {
    /// Who, and how rated.
    #[serde(flatten)]
    pub player: PlayerAnswer,
    /// Whether people are not to be shown the id: `name` stands in its place.
    pub id_hidden: bool,
    /// When it was so.
    pub computed_at: Timestamp,
    /// How many more rounds it takes until the rating is shown; 0 where it is.
    pub rounds_until_visible: u32,
    /// The place by rating in the pool, 1 for the best; equal ratings have the same. `null` of a hidden player, and
    /// of one who last played too long ago.
    pub rank: Option<u64>,
    /// How many players of the pool have a rank.
    pub ranked: u64,
    /// The share of the others who have a rank that is rated lower, from 0 to 1; `null` where there is no rank or
    /// nobody else has one.
    pub better_than: Option<f64>,
    /// The division by that place; `null` where there is no rank, or none.
    pub division: Option<String>,
    /// The division above it, and what is missing; `null` where there is no rank, or none above.
    pub next_division: Option<NextDivisionAnswer>,
    /// The pool's divisions, the highest first.
    pub divisions: Vec<DivisionAnswer>,
    /// How the ratings of those who have a rank are distributed: bins without gaps, ascending.
    pub distribution: Vec<RatingBinAnswer>,
    /// The rounds since the last reset, 100,000 at most.
    pub record: RecordAnswer,
    /// The latest of them, by what they have in common.
    pub recent: RecentAnswer,
    /// How the player stood at the end of each season that was played, the latest first.
    pub seasons: Vec<PastSeasonAnswer>,
    /// The latest rounds, the latest first, 20 at most.
    pub last_rounds: Vec<LastRoundAnswer>,
}

/// How a player stood at the end of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PastSeasonAnswer {
    /// Its number.
    pub number: u32,
    /// What it is called; `null` before the first start.
    pub name: Option<SeasonName>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The place by rating, 1 for the best; `null` of who had none.
    pub rank: Option<u64>,
    /// The rating.
    pub rating: Rating,
    /// Rated rounds in it.
    pub rounds: u32,
}

/// A division, and what it takes to get there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextDivisionAnswer {
    /// Its name.
    pub name: String,
    /// The lowest rating in it, as the others are rated now.
    pub rating: Rating,
    /// How many points are missing.
    pub points: i32,
    /// How many ranks are missing.
    pub ranks: u64,
}

/// A division of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DivisionAnswer {
    /// Its name.
    pub name: String,
    /// The share of the players who have a rank, in per cent, above whom it begins.
    pub from_percentile: f64,
    /// How many players are in it.
    pub players: u64,
}

/// How many of those who have a rank are rated from one rating to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingBinAnswer {
    /// The lowest rating in it.
    pub from: i32,
    /// The next bin's lowest.
    pub to: i32,
    /// Players.
    pub players: u64,
}

/// How rounds ended for a player, and how they were predicted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TallyAnswer {
    /// How many.
    pub rounds: u32,
    /// Of them won.
    pub won: u32,
    /// Of them drawn.
    pub drawn: u32,
    /// Of them lost.
    pub lost: u32,
    /// The sum of the win probabilities, to be compared with the rounds won and half of those drawn.
    pub expected: f64,
}

/// How the rounds of a player ended, all together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordAnswer {
    /// When the first of them ended.
    pub since: Option<Timestamp>,
    /// How they ended.
    #[serde(flatten)]
    pub tally: TallyAnswer,
    /// The latest rounds that ended alike; `null` without rounds.
    pub streak: Option<StreakAnswer>,
    /// The most wins in a row, of several as long the latest; `null` without a win.
    pub longest_winning: Option<StreakAnswer>,
    /// The most losses in a row, of several as long the latest; `null` without a loss.
    pub longest_losing: Option<StreakAnswer>,
    /// The highest rating, a set one too, and when it was first reached; `null` without rounds.
    pub peak: Option<PeakAnswer>,
}

/// Rounds of a player that followed one another and ended alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreakAnswer {
    /// How they ended.
    pub result: ResultName,
    /// How many.
    pub rounds: u32,
    /// When the last of them ended.
    pub ended_at: Timestamp,
}

/// How a round ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResultName {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
}

/// The highest rating of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PeakAnswer {
    /// The rating.
    pub rating: Rating,
    /// When the round ended, or the change was made, that made it.
    pub at: Timestamp,
}

/// The latest rounds of a player, by what they have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecentAnswer {
    /// How many there are: 500 at most, without those that are pruned.
    pub rounds: u32,
    /// When the first of them ended.
    pub since: Option<Timestamp>,
    /// The maps with the most rounds, 30 at most.
    pub by_map: Vec<MapTallyAnswer>,
    /// The servers with the most rounds, 30 at most.
    pub by_server: Vec<ServerTallyAnswer>,
    /// Who was most often rated on the same team, 20 at most.
    pub partners: Vec<OtherPlayerAnswer>,
    /// Who was most often rated on the other team, 20 at most.
    pub opponents: Vec<OtherPlayerAnswer>,
}

/// A player's rounds on a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapTallyAnswer {
    /// The map; `null` where none was reported.
    pub map: Option<MapName>,
    /// How they ended.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

/// A player's rounds on a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerTallyAnswer {
    /// The server.
    pub server: ServerName,
    /// How they ended.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

/// A player's rounds with or against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OtherPlayerAnswer {
    /// The other.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Whether people are not to be shown the id: `name` stands in its place.
    pub id_hidden: bool,
    /// How they ended for the player whose profile it is.
    #[serde(flatten)]
    pub tally: TallyAnswer,
}

impl TallyAnswer {
    /// What was got out of the rounds: those won and half of those drawn.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(self.won) + f64::from(self.drawn) / 2.0
    }

    /// How many more rounds were won than predicted, a draw for half; negative where it was fewer.
    #[must_use]
    pub fn excess(&self) -> f64 {
        self.score() - self.expected
    }
}
