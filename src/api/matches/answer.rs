use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::MissingRoleAnswer;
use crate::domain::{
    ModeName, PlayerId, PolicyName, PoolName, Probability, RegionName, ServerName, TicketName,
    Timestamp,
};

/// The matches to begin, and who goes on waiting.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchesAnswer {
    /// The pool whose ratings and policies counted.
    pub pool: PoolName,
    /// The policy.
    pub policy: PolicyName,
    /// Until when the tickets have waited.
    pub now: Timestamp,
    /// The matches, that of who has waited longest first.
    pub matches: Vec<MatchAnswer>,
    /// The tickets that are in none, in the order of the request.
    pub waiting: Vec<WaitingTicketAnswer>,
    /// What all matches are worth together by the policy, in places.
    pub value: f64,
    /// All of it in a sentence.
    pub say: String,
}

/// A match to begin.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchAnswer {
    /// Where it is played.
    pub server: ServerName,
    /// The server's region, where one was sent.
    pub region: Option<RegionName>,
    /// What is played; `null` where nobody named a mode.
    pub mode: Option<ModeName>,
    /// Players a team.
    pub size: usize,
    /// The tickets of team a.
    pub tickets_a: Vec<TicketName>,
    /// The tickets of team b.
    pub tickets_b: Vec<TicketName>,
    /// Team a, with the highest-rated player, by descending rating.
    pub a: Vec<PlayerId>,
    /// Team b, by descending rating.
    pub b: Vec<PlayerId>,
    /// The sum of team a's ratings.
    pub sum_a: i64,
    /// The sum of team b's ratings.
    pub sum_b: i64,
    /// By how much these differ.
    pub difference: u64,
    /// The probability that team a wins, by the pool's model.
    pub win_probability_a: Probability,
    /// The standard deviation of all ratings in the match.
    pub spread: f64,
    /// The roles of which the teams have too few.
    pub missing_roles: Vec<MissingRoleAnswer>,
    /// For how many seconds who waits longest has.
    pub longest_wait_seconds: u32,
    /// The mean wait of a player in seconds.
    pub mean_wait_seconds: f64,
    /// The highest ping in milliseconds; `null` where none is known.
    pub worst_ping: Option<u32>,
    /// The mean of the pings that are known.
    pub mean_ping: Option<f64>,
    /// What was allowed; `null` where somebody's wait was due, and nothing was limited.
    pub limits: Option<MatchLimitsAnswer>,
    /// What the match is worth by the policy, in places.
    pub value: f64,
    /// Why this match, in a sentence.
    pub say: String,
}

/// The most that was allowed of a match, by the longest wait in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchLimitsAnswer {
    /// By how much the odds may differ from even.
    pub uneven: f64,
    /// The standard deviation of the ratings.
    pub spread: f64,
    /// Anybody's ping in milliseconds.
    pub ping: f64,
}

/// A ticket that is in no match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct WaitingTicketAnswer {
    /// Which.
    pub ticket: TicketName,
    /// For how many seconds it has waited.
    pub waited_seconds: u32,
    /// In how many seconds its wait is due: then nothing is limited for it, and of those who are due who has waited
    /// longest goes first.
    pub due_in_seconds: u32,
    /// Why it waits.
    pub why: WaitReason,
    /// The same in a sentence.
    pub say: String,
}

/// Why a ticket waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// No free server is one that it accepts, with room for it and a mode that it would play.
    NoServer,
    /// Those who would play there with it fill no two teams.
    TooFew,
    /// Others have the server, or the players that it would need.
    Taken,
    /// A match could be made, but none that is allowed yet.
    Limits,
}
