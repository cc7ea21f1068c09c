use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PairAnswer, PlayerMoveAnswer, ReasonAnswer, TeamSumsAnswer};
use crate::domain::{
    InterventionResult, PlayerDisplayName, PolicyName, PoolName, Probability, RoundId, ServerName,
    Timestamp, Winner,
};

/// Answer of `GET /v1/admin/interventions`: a page of interventions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionsAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Interventions of the page, ordered by `first_asked_at`, the latest first.
    pub interventions: Vec<InterventionAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<String>,
}

/// An intervention: two teams that were found unbalanced during a round, and the answer to the game server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionAnswer {
    /// Name of the server of the match.
    pub server: ServerName,
    /// Time of the first request with this finding.
    pub first_asked_at: Timestamp,
    /// Time of the last request with this finding.
    pub last_asked_at: Timestamp,
    /// Number of requests with this finding.
    pub asked: u32,
    /// Name of the balance policy that was applied.
    pub policy: PolicyName,
    /// Kind of the recommended action.
    pub result: InterventionResult,
    /// The rules of the policy that the teams break.
    pub reasons: Vec<ReasonAnswer>,
    /// The recommended moves, the best first.
    pub moves: Vec<InterventionMoveAnswer>,
    /// The teams as they stood.
    pub before: TeamSumsAnswer,
    /// The teams after all recommended actions.
    pub after: TeamSumsAnswer,
    /// `true` if the teams are balanced after all recommended actions.
    pub balanced_after: bool,
    /// The round of the match; `null` while no such round has been reported.
    pub round: Option<InterventionRoundAnswer>,
}

/// A recommended move of a player to another team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionMoveAnswer {
    /// The player and the teams.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// Name to show in place of the player's id; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Name to show in place of the id in `with`; `null` if no name is known, or without a swap.
    pub with_name: Option<PlayerDisplayName>,
}

/// Result of the round during which the teams were unbalanced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundAnswer {
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Seconds from the first request of the intervention to the end of the round.
    pub seconds_after: u32,
    /// Winner of the round.
    pub winner: Winner,
    /// Win probability of each team that the round was rated with (F1).
    pub win_probability: PairAnswer<Probability>,
}

/// Answer of `GET /v1/admin/interventions/summary`: counts of the interventions of the last days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionSummaryAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Start of the first day.
    pub from: Timestamp,
    /// Number of days, including today.
    pub days: u32,
    /// `true` if all interventions of the days are counted; `false` if only the latest `at_most` are.
    pub complete: bool,
    /// Maximum number of interventions that a summary counts.
    pub at_most: u32,
    /// Number of interventions by result.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
    /// Number of recommended moves; a player counts once for each intervention.
    pub moved_players: u32,
    /// Counts of each day in UTC, the oldest first.
    pub by_day: Vec<InterventionDayAnswer>,
    /// Counts by the rule that the teams broke, the most frequent first.
    pub by_rule: Vec<RuleCountAnswer>,
    /// Counts by the policy that was applied, the most frequent first.
    pub by_policy: Vec<PolicyCountAnswer>,
    /// Effect of the recommended moves on the odds.
    pub odds: InterventionOddsAnswer,
    /// Results of the rounds in which moves were recommended.
    pub rounds: InterventionRoundsAnswer,
}

/// Number of interventions of one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionDayAnswer {
    /// Start of the day, in UTC.
    pub from: Timestamp,
    /// Number of interventions by result.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
}

/// Number of interventions by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionCountsAnswer {
    /// Number of all interventions.
    pub interventions: u32,
    /// Number of interventions that recommended moves of players.
    pub moved: u32,
    /// Number of interventions that recommended only other numbers of bots.
    pub filled: u32,
    /// Number of interventions without an allowed action that balances the teams.
    pub nothing_helps: u32,
}

/// Number of interventions in which the teams broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RuleCountAnswer {
    /// Name of the rule.
    pub rule: String,
    /// Number of interventions with this rule among the reasons.
    pub interventions: u32,
}

/// Number of interventions by one policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PolicyCountAnswer {
    /// Name of the policy.
    pub policy: PolicyName,
    /// Number of interventions by this policy.
    pub interventions: u32,
}

/// Distance of the odds from even, over the interventions that recommended moves: the mean of |P - 0.5|.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionOddsAnswer {
    /// Mean distance of the teams as they stood; `null` if no moves were recommended.
    pub before: Option<f64>,
    /// Mean distance after all recommended actions; `null` if no moves were recommended.
    pub after: Option<f64>,
}

/// Results of the rounds in which moves were recommended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundsAnswer {
    /// Number of interventions with moves whose round is known.
    pub known: u32,
    /// Number of interventions with moves whose round was rated with odds from 40 to 60 %.
    pub close: u32,
    /// Number of interventions with moves, and a known round, that had odds from 40 to 60 % before the moves.
    pub close_before: u32,
    /// Results of the teams that were ahead before the moves.
    pub ahead: AheadAnswer,
}

/// Results of the teams that were ahead before the recommended moves, compared with the predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadAnswer {
    /// Number of interventions whose round is known and had a team ahead.
    pub interventions: u32,
    /// Mean score of the team ahead: 1 for a win, 0.5 for a draw; `null` without such interventions.
    pub score: Option<f64>,
    /// Mean win probability of the team ahead, before the moves; `null` without such interventions.
    pub predicted_before: Option<f64>,
    /// Mean win probability of the team ahead, after all recommended actions; `null` without such interventions.
    pub predicted_after: Option<f64>,
}
