use serde::{Deserialize, Serialize};

use super::PoolId;
use crate::domain::{PlayerId, Probability, RoundId, ServerName, Side, Timestamp, Winner};

/// Answer about a match that was found unbalanced in mid-round.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIntervention {
    /// Pool whose ratings were used.
    pub pool: PoolId,
    /// Server of the match.
    pub server: ServerName,
    /// Time of the first request.
    pub asked_at: Timestamp,
    /// Name of the policy.
    pub policy: String,
    /// Rules that the teams break.
    pub reasons: Vec<BrokenRule>,
    /// Recommended moves, the best first.
    pub moves: Vec<PlayerMove>,
    /// Teams before the moves.
    pub before: TeamsRecord,
    /// Teams after all moves.
    pub after: TeamsRecord,
    /// `true` if the teams are balanced after the moves.
    pub balanced_after: bool,
}

/// An intervention as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// Key of the intervention.
    pub id: u64,
    /// First answer about the match.
    pub answered: NewIntervention,
    /// Time of the last request that got this answer.
    pub last_asked_at: Timestamp,
    /// Number of requests that got this answer, from 1.
    pub asked: u32,
    /// Log position of the round in which the match was; `None` as long as there is no such round.
    pub round: Option<u64>,
}

/// A rule that teams break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Name of the rule.
    pub rule: String,
    /// Measured value, if the rule has one.
    pub value: Option<f64>,
    /// Limit that the value breaks, if the rule has one.
    pub limit: Option<f64>,
    /// Value and limit in words.
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
    /// Strength of team a, as the policy weighs it.
    pub sum_a: f64,
    /// Strength of team b, as the policy weighs it.
    pub sum_b: f64,
    /// Probability that team a wins, by the ratings (F1).
    pub win_probability_a: Probability,
}

/// Filter for the interventions of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterventionFilter {
    /// Server of the interventions; `None` for every server.
    pub server: Option<ServerName>,
    /// Earliest time of the first request, included.
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
