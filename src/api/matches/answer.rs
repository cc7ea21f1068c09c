use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::MissingRoleAnswer;
use crate::domain::{
    ModeName, PlayerId, PolicyName, PoolName, Probability, RegionName, ServerName, TicketName,
    Timestamp,
};

/// Answer of `POST /v1/match`: the matches to start, and the tickets that keep waiting.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchesAnswer {
    /// Name of the pool whose ratings and policies were used to form the matches.
    pub pool: PoolName,
    /// Name of the matchmaking policy by which the matches were formed.
    pub policy: PolicyName,
    /// Time up to which the waits of the tickets were counted.
    pub now: Timestamp,
    /// Matches to start, ordered by their longest wait, the longest first.
    pub matches: Vec<MatchAnswer>,
    /// Tickets (groups of waiting players) without a match, in the order of the request.
    pub waiting: Vec<WaitingTicketAnswer>,
    /// Total value of the matches by the policy's objective. A value of 1 is worth as much as a place in a match for
    /// one player.
    pub value: f64,
    /// Summary of the matches to start and the waiting tickets as a sentence.
    pub message: String,
}

/// A match to start on a free server.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchAnswer {
    /// Name of the free server to play the match on.
    pub server: ServerName,
    /// Region of the match's server; `null` if the request names no region for the server.
    pub region: Option<RegionName>,
    /// Game mode to play; `null` if neither the server nor the tickets name one.
    pub mode: Option<ModeName>,
    /// Number of players on each team of the match.
    pub size: usize,
    /// Names of the tickets (groups of waiting players) that form team a.
    pub tickets_a: Vec<TicketName>,
    /// Names of the tickets (groups of waiting players) that form team b.
    pub tickets_b: Vec<TicketName>,
    /// Ids of the players of team a by descending rating. The highest-rated player of the match is on team a, unless
    /// the server's map or bots favour a side and the opposite order is more even.
    pub a: Vec<PlayerId>,
    /// Ids of the players of team b by descending rating.
    pub b: Vec<PlayerId>,
    /// Sum of team a's ratings, in points.
    pub sum_a: i64,
    /// Sum of team b's ratings, in points.
    pub sum_b: i64,
    /// Absolute difference between the rating sums of team a and team b, in points.
    pub difference: u64,
    /// Probability that team a wins the match, by the pool's rating model.
    pub win_probability_a: Probability,
    /// Standard deviation of all ratings in the match, in points.
    pub spread: f64,
    /// Roles that the teams have too few players for.
    pub missing_roles: Vec<MissingRoleAnswer>,
    /// Longest wait of a player in the match, in seconds.
    pub longest_wait_seconds: u32,
    /// Mean wait of the players in the match, in seconds.
    pub mean_wait_seconds: f64,
    /// Highest known ping in the match, in milliseconds; `null` if none is known.
    pub worst_ping: Option<u32>,
    /// Mean of the known pings in the match, in milliseconds; `null` if none is known.
    pub mean_ping: Option<f64>,
    /// Limits on odds, ratings and pings that applied to the match; `null` if a ticket had waited the policy's
    /// `due_seconds`, after which no limit applies.
    pub limits: Option<MatchLimitsAnswer>,
    /// Value of the match by the policy's objective. A value of 1 is worth as much as a place in a match for one
    /// player.
    pub value: f64,
    /// Summary of the match as a sentence.
    pub message: String,
}

/// Limits that the matchmaking policy sets for a match. The limits widen with the longest wait in the match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct MatchLimitsAnswer {
    /// Maximum distance of the match's win probability from 0.5.
    pub uneven: f64,
    /// Maximum standard deviation of the ratings in the match, in points.
    pub spread: f64,
    /// Maximum ping of a player in the match, in milliseconds.
    pub ping: f64,
}

/// A ticket (group of waiting players) that gets no match now.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct WaitingTicketAnswer {
    /// Name of the waiting ticket, from the request.
    pub ticket: TicketName,
    /// Seconds that the ticket (group of players) has waited for a match.
    pub waited_seconds: u32,
    /// Seconds until the ticket is due, that is, has waited the policy's `due_seconds`. Matches with a due ticket have
    /// no limits, and the longest wait among due tickets takes precedence.
    pub due_in_seconds: u32,
    /// Reason why the ticket gets no match now.
    pub why: WaitReason,
    /// Reason why the ticket gets no match now, as a sentence.
    pub message: String,
}

/// Reason why a ticket gets no match now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// No free server is accepted by the ticket's players, has enough places for them, and offers an accepted mode.
    NoServer,
    /// Too few players accept the same servers to fill two teams with whole tickets.
    TooFew,
    /// Other matches use the servers or the players that a match with the ticket would need.
    Taken,
    /// A match with the ticket is possible, but exceeds the policy's present limits on odds, ratings or pings.
    Limits,
}
