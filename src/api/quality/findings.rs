//! Findings about servers and players in the answer of `GET /v1/admin/quality`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::NamedPlayerAnswer;
use crate::domain::ServerName;
use crate::rating::Habit;

/// Numbers of one-sided rounds of a pool by two measures, scoreboard and length. Each measure leaves out rounds in
/// which it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedAnswer {
    /// Numbers of the pool's recent rounds that are one-sided by scoreboard: one team has at least 60 % of both teams'
    /// points.
    pub by_scoreboard: OneSidedMeasureAnswer,
    /// Numbers of the pool's recent rounds that are one-sided by length: shorter than half the median length of rounds
    /// on their map. Maps with fewer than 20 timed rounds are left out.
    pub by_length: OneSidedMeasureAnswer,
}

/// Numbers and shares of one-sided rounds among rounds whose teams follow a computed split, and among other rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedMeasureAnswer {
    /// Numbers of the rounds in which at least 80 % of the players are on teams as in a split that was computed for the
    /// server since its previous round.
    pub scrambled: OneSidedCountAnswer,
    /// Numbers of the other rounds, whose teams do not follow a split that was computed for the server since its
    /// previous round.
    pub others: OneSidedCountAnswer,
    /// Share of one-sided rounds among `scrambled` minus the share among `others`; `null` if one of them has no rounds.
    pub difference: Option<f64>,
    /// Lower end of the 95 % interval of `difference` between two shares of one-sided rounds; `null` without an
    /// interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval of `difference` between two shares of one-sided rounds; `null` without an
    /// interval.
    pub high: Option<f64>,
}

/// Number and share of one-sided rounds among the rounds with teams from a computed split, or among the other rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedCountAnswer {
    /// Number of rounds that can be judged as one-sided or not: their scoreboard or length is known.
    pub rounds: u64,
    /// Number of rounds, among those in `rounds`, that are one-sided by scoreboard or by length.
    pub one_sided: u64,
    /// Share of the rounds in `rounds` that are one-sided by scoreboard or by length, from 0 to 1; `null` without
    /// rounds.
    pub share: Option<f64>,
}

/// Evenness of a pool's recent matches, numbers of players by week, and waiting times, all over the last 10,000 rounds
/// at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CommunityAnswer {
    /// Number of the pool's latest rounds, at most `window`, that the shares of uneven rounds cover.
    pub rounds: u64,
    /// Share of the latest rounds in which one team was predicted to win with more than 60 %; `null` without rounds.
    pub over_60: Option<f64>,
    /// Share of the latest rounds in which one team was predicted to win with more than 70 %; `null` without rounds.
    pub over_70: Option<f64>,
    /// Number of different players in the last 7 days; `null` if the last 10,000 rounds do not reach back so far.
    pub players_this_week: Option<u64>,
    /// Number of different players in the 7 days before the last 7 days; `null` if the last 10,000 rounds do not reach
    /// back so far.
    pub players_last_week: Option<u64>,
    /// Number of times that a player got a turn after waiting, as far as requests for splits listed who was waiting.
    pub turns: u64,
    /// Mean number of consecutive rounds that these players had waited before their turns; `null` without `turns`.
    pub waited_rounds: Option<f64>,
}

/// Rounds that a server sent twice under different ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CopiesAnswer {
    /// Name of the server that sent rounds twice.
    pub server: ServerName,
    /// Number of rounds that the server sent a second time under a different `round_id`.
    pub rounds: u64,
    /// Sentence that says how many rounds the server sent twice, with advice.
    pub message: String,
}

/// A game server whose clock is behind the clock of RBS.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClockAnswer {
    /// Name of the game server whose clock is behind.
    pub server: ServerName,
    /// Seconds by which the game server's clock is behind the clock of RBS: the smallest delay of the server's last ten
    /// rounds.
    pub behind_seconds: u64,
    /// Sentence that says how far the game server's clock is behind, with advice.
    pub message: String,
}

/// Habit of players, such as leaving when losing, that chance does not explain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HabitAnswer {
    /// Kind of the players' habit, such as `leave_when_losing`.
    pub kind: Habit,
    /// Players who have the habit; several only for the habit `share_team`.
    pub players: Vec<NamedPlayerAnswer>,
    /// Number of the players' rounds in which the habit could have shown, such as lost rounds for `leave_when_losing`.
    pub rounds: u64,
    /// Number of the rounds counted in `rounds` in which the players showed the habit, such as leaving early.
    pub shown: u64,
    /// Description of the players' habit, such as leaving when losing, as a sentence.
    pub message: String,
}
