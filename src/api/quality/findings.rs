//! Findings about servers and players in the answer of `GET /v1/admin/quality`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::NamedPlayerAnswer;
use crate::domain::ServerName;
use crate::rating::Habit;

/// Shares of one-sided rounds by two measures. A round without the measure is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedAnswer {
    /// Numbers of the pool's recent rounds that are one-sided by scoreboard: one team has at least 60 % of both teams'
    /// points.
    pub by_scoreboard: OneSidedMeasureAnswer,
    /// Rounds shorter than half the median of their map. Maps with fewer than 20 timed rounds are left out.
    pub by_length: OneSidedMeasureAnswer,
}

/// One-sided rounds after a scramble, compared with other rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedMeasureAnswer {
    /// Rounds in which at least 80 % of the players are seated as in a split that was computed for the server since its
    /// previous round.
    pub scrambled: OneSidedCountAnswer,
    /// Numbers of the other rounds, whose teams do not follow a split that was computed for the server since its
    /// previous round.
    pub others: OneSidedCountAnswer,
    /// Share of one-sided rounds among `scrambled` minus the share among `others`; `null` if one of them has no rounds.
    pub difference: Option<f64>,
    /// Lower end of the 95 % interval of `difference`; `null` without one.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval of `difference`; `null` without one.
    pub high: Option<f64>,
}

/// Number of one-sided rounds among some rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OneSidedCountAnswer {
    /// Number of rounds that can be judged as one-sided or not: their scoreboard or length is known.
    pub rounds: u64,
    /// Number of one-sided rounds.
    pub one_sided: u64,
    /// Share of one-sided rounds, from 0 to 1; `null` without rounds.
    pub share: Option<f64>,
}

/// Rounds that a server sent twice under different ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CopiesAnswer {
    /// Name of the server.
    pub server: ServerName,
    /// Number of rounds that the server sent a second time under a different `round_id`.
    pub rounds: u64,
    /// Sentence that says how many rounds the server sent twice, with advice.
    pub message: String,
}

/// A server whose clock is behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClockAnswer {
    /// Name of the server.
    pub server: ServerName,
    /// Seconds by which the game server's clock is behind the clock of RBS: the smallest delay of the server's last ten
    /// rounds.
    pub behind_seconds: u64,
    /// Sentence that says how far the game server's clock is behind, with advice.
    pub message: String,
}

/// Habit of players that chance does not explain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HabitAnswer {
    /// Kind of the habit.
    pub kind: Habit,
    /// Players with the habit; several only for `share_team`.
    pub players: Vec<NamedPlayerAnswer>,
    /// Number of the players' rounds in which the habit could have shown, such as lost rounds for `leave_when_losing`.
    pub rounds: u64,
    /// Number of the rounds counted in `rounds` in which the players showed the habit, such as leaving early.
    pub shown: u64,
    /// The habit as a sentence.
    pub message: String,
}
