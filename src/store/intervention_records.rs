use serde::{Deserialize, Serialize};

use super::PoolId;
use crate::domain::{PlayerId, Probability, RoundId, ServerName, Side, Timestamp, Winner};

/// Answer about a match that was found unbalanced in mid-round.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIntervention {
    /// Pool whose ratings the answer used.
    pub pool: PoolId,
    /// Server of the match.
    pub server: ServerName,
    /// Time of the first request about the unbalanced match that got these recommended moves.
    pub asked_at: Timestamp,
    /// Name of the policy that found the match unbalanced.
    pub policy: String,
    /// Rules of the policy that the teams break.
    pub reasons: Vec<BrokenRule>,
    /// Recommended moves of players to the other team, the best first.
    pub moves: Vec<PlayerMove>,
    /// Sizes and strengths of the teams before the recommended moves.
    pub before: TeamsRecord,
    /// Sizes and strengths of the teams after all recommended moves.
    pub after: TeamsRecord,
    /// `true` if all recommended moves together would balance the teams.
    pub balanced_after: bool,
}

/// Stored intervention: an answer about an unbalanced match, and the requests that got it.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// Unique number of the intervention in the database.
    pub id: u64,
    /// Answer that the requests about the unbalanced match got.
    pub answered: NewIntervention,
    /// Time of the last request about the unbalanced match that got the moves in `answered`.
    pub last_asked_at: Timestamp,
    /// Number of requests about the unbalanced match that got the moves in `answered`, from 1.
    pub asked: u32,
    /// Log position of the round in which the teams were unbalanced; `None` until that round is reported.
    pub round: Option<u64>,
}

/// Rule of a balance policy that the teams of a match break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Name of the broken rule of the balance policy, such as `size_difference`.
    pub rule: String,
    /// Value that was measured for the broken rule, in the rule's unit (players, points or a share); `None` if the rule
    /// has no value.
    pub value: Option<f64>,
    /// Limit of the broken rule that the measured value violates, in the unit of `value`; `None` if the rule has no
    /// limit.
    pub limit: Option<f64>,
    /// Text with the measured value and the limit of the broken rule, such as `sizes differ by 2; 2 are too many`.
    pub detail: String,
}

/// Recommended move of a player to the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerMove {
    /// Id of the player.
    pub id: PlayerId,
    /// Team that the player leaves.
    pub from: Side,
    /// Team that the player joins.
    pub to: Side,
    /// Player who moves the other way, in a swap.
    pub with: Option<PlayerId>,
}

/// Sizes and strengths of two teams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamsRecord {
    /// Number of players on team a.
    pub size_a: u32,
    /// Number of players on team b.
    pub size_b: u32,
    /// Number of bots on team a.
    pub bots_a: u32,
    /// Number of bots on team b.
    pub bots_b: u32,
    /// Total weight of team a, in the unit of the policy, such as rating points.
    pub sum_a: f64,
    /// Total weight of team b, in the unit of the policy, such as rating points.
    pub sum_b: f64,
    /// Probability that team a wins, by the ratings (F1).
    pub win_probability_a: Probability,
}

/// Filter for the interventions of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterventionFilter {
    /// Server of the interventions; `None` for every server.
    pub server: Option<ServerName>,
    /// Earliest time of an intervention's first request, included.
    pub from: Timestamp,
}

/// Outcome and prediction of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundEnd {
    /// Log position of the round.
    pub position: u64,
    /// Id of the round on its server.
    pub round_id: RoundId,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Winner, corrected if an admin has corrected it.
    pub winner: Winner,
    /// Predicted probability that team a wins (F1).
    pub win_probability: Probability,
}
