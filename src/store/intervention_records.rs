//! Rows of the table of interventions.

use serde::{Deserialize, Serialize};

use super::PoolId;
use crate::domain::{PlayerId, Probability, RoundId, ServerName, Side, Timestamp, Winner};

/// What was answered about a match that was found unbalanced in mid-round.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIntervention {
    /// The pool whose ratings counted.
    pub pool: PoolId,
    /// The server of the match.
    pub server: ServerName,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// The name of the policy.
    pub policy: String,
    /// Why the teams are unbalanced.
    pub reasons: Vec<BrokenRule>,
    /// The players who should change teams, the best move first.
    pub moves: Vec<PlayerMove>,
    /// The teams as they stood.
    pub before: TeamsRecord,
    /// The teams once everything is done.
    pub after: TeamsRecord,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

/// An intervention as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// Its key.
    pub id: u64,
    /// What was answered first.
    pub answered: NewIntervention,
    /// When it was last asked for.
    pub last_asked_at: Timestamp,
    /// How often, from 1.
    pub asked: u32,
    /// The place in the pool's log of the round that it was in; `None` while there is none.
    pub round: Option<u64>,
}

/// A rule by which teams are unbalanced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// Its name.
    pub rule: String,
    /// The figure, where the rule has one.
    pub value: Option<f64>,
    /// The limit that it breaks, where the rule has one.
    pub limit: Option<f64>,
    /// Both in words.
    pub detail: String,
}

/// Somebody who should change teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerMove {
    /// The player.
    pub id: PlayerId,
    /// The team that is left.
    pub from: Side,
    /// The team that is joined.
    pub to: Side,
    /// The player who comes in exchange, in a swap.
    pub with: Option<PlayerId>,
}

/// How teams stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamsRecord {
    /// Players on team a.
    pub size_a: u32,
    /// Players on team b.
    pub size_b: u32,
    /// Bots on team a.
    pub bots_a: u32,
    /// Bots on team b.
    pub bots_b: u32,
    /// What team a weighs by the policy.
    pub sum_a: f64,
    /// What team b weighs by the policy.
    pub sum_b: f64,
    /// F1, by the ratings.
    pub win_probability_a: Probability,
}

/// Which of a pool's interventions are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterventionFilter {
    /// Only of this server.
    pub server: Option<ServerName>,
    /// Only those first asked for at this moment or later.
    pub from: Timestamp,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundEnd {
    /// Its place in the pool's log.
    pub position: u64,
    /// Its name.
    pub round_id: RoundId,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How it ended.
    pub winner: Winner,
    /// F1, for team a.
    pub win_probability: Probability,
}
