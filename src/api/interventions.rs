use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PairAnswer, PlayerMoveAnswer, ReasonAnswer, TeamSumsAnswer};
use crate::domain::{
    InterventionResult, PlayerDisplayName, PolicyName, PoolName, Probability, RoundId, ServerName,
    Timestamp, Winner,
};

/// Answer of `GET /v1/admin/interventions`: a page of interventions, moments in which a running match was found
/// unbalanced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionsAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Interventions (moments in which a running match was found unbalanced), ordered by `first_asked_at`, the latest
    /// first.
    pub interventions: Vec<InterventionAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<String>,
}

/// An intervention: two teams that were found unbalanced during a round, and the answer to the game server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionAnswer {
    /// Name of the server of the match with unbalanced teams.
    pub server: ServerName,
    /// Time of the first request to `POST /v1/balance` that got the answer of this intervention.
    pub first_asked_at: Timestamp,
    /// Time of the last request to `POST /v1/balance` that got the answer of this intervention.
    pub last_asked_at: Timestamp,
    /// Number of requests to `POST /v1/balance` that got the answer of this intervention.
    pub asked: u32,
    /// Name of the balance policy that was applied to the match.
    pub policy: PolicyName,
    /// Kind of the recommended action: moves, other numbers of bots, or nothing that helps.
    pub result: InterventionResult,
    /// Rules of the balance policy that the teams broke.
    pub reasons: Vec<ReasonAnswer>,
    /// Recommended moves of players, the best first.
    pub moves: Vec<InterventionMoveAnswer>,
    /// Sizes, weights and odds of the teams before the recommended actions.
    pub before: TeamSumsAnswer,
    /// Sizes, weights and odds of the teams after all recommended actions.
    pub after: TeamSumsAnswer,
    /// `true` if the teams are balanced after all recommended actions.
    pub balanced_after: bool,
    /// Round during which the intervention found the teams unbalanced; `null` until the game server has reported the
    /// round.
    pub round: Option<InterventionRoundAnswer>,
}

/// A recommended move of a player to another team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionMoveAnswer {
    /// Id of the player who moves, with the old and the new team.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// Name to show in place of the id of the player who moves; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Name to show in place of the id in `with`, the player who moves the other way in a swap; `null` if no name is
    /// known, or without a swap.
    pub with_name: Option<PlayerDisplayName>,
}

/// Round during which an intervention found the teams unbalanced, with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundAnswer {
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Seconds from the first request of the intervention to the end of the round.
    pub seconds_after: u32,
    /// Winner of the round, or a draw.
    pub winner: Winner,
    /// Win probability of each team by which the round was rated (F1).
    pub win_probability: PairAnswer<Probability>,
}

/// Answer of `GET /v1/admin/interventions/summary`: counts of the interventions of the last days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionSummaryAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Start of the first day whose interventions the summary counts: midnight in UTC.
    pub from: Timestamp,
    /// Number of days whose interventions the summary counts, including today.
    pub days: u32,
    /// `true` if the summary counts all interventions in the pool's matches on these `days`; `false` if only the latest
    /// `at_most`.
    pub complete: bool,
    /// Maximum number of interventions that a summary counts.
    pub at_most: u32,
    /// Number of interventions in the pool's matches during the `days` of the summary, by kind of recommended action.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
    /// Number of players in the recommended moves of the counted interventions; a player counts once for each
    /// intervention.
    pub moved_players: u32,
    /// Numbers of interventions (moments in which RBS found a running match unbalanced) on each day in UTC, the oldest
    /// day first.
    pub by_day: Vec<InterventionDayAnswer>,
    /// Numbers of interventions by the rule that the teams broke, the most frequent rule first.
    pub by_rule: Vec<RuleCountAnswer>,
    /// Number of interventions for each balance policy, the policy with most interventions first.
    pub by_policy: Vec<PolicyCountAnswer>,
    /// Mean distance of team a's win probability from 0.5, before and after the recommended moves.
    pub odds: InterventionOddsAnswer,
    /// Numbers of interventions with moves by the odds of their rounds, and results of the teams with the better odds.
    pub rounds: InterventionRoundsAnswer,
}

/// Numbers of interventions on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionDayAnswer {
    /// Start of the day whose interventions are counted, in UTC.
    pub from: Timestamp,
    /// Number of interventions on the day by kind of recommended action.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
}

/// Number of interventions by kind of recommended action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionCountsAnswer {
    /// Number of interventions (running matches found unbalanced) in the counted period, with any recommended action.
    pub interventions: u32,
    /// Number of interventions that recommended moves of players.
    pub moved: u32,
    /// Number of interventions that recommended only other numbers of bots.
    pub filled: u32,
    /// Number of interventions without an allowed action that balances the teams.
    pub nothing_helps: u32,
}

/// Number of interventions in which the teams broke one rule of the balance policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RuleCountAnswer {
    /// Name of the balance rule, such as `size_difference`.
    pub rule: String,
    /// Number of interventions with this rule among the reasons.
    pub interventions: u32,
}

/// Number of interventions in which one balance policy was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PolicyCountAnswer {
    /// Name of the balance policy.
    pub policy: PolicyName,
    /// Number of interventions in which this balance policy was applied.
    pub interventions: u32,
}

/// Mean distance of team a's win probability P from even, |P - 0.5|, over the interventions that recommended moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionOddsAnswer {
    /// Mean distance of the win probability from 0.5 before the moves; `null` if no moves were recommended.
    pub before: Option<f64>,
    /// Mean distance of the win probability from 0.5 after all recommended actions; `null` if no moves were
    /// recommended.
    pub after: Option<f64>,
}

/// Numbers of interventions with recommended moves whose round is known, by the odds of the round, and results of the
/// teams with the better odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundsAnswer {
    /// Number of interventions that recommended moves and whose round is known.
    pub known: u32,
    /// Number of interventions that recommended moves and whose round was rated with odds from 40 to 60 %.
    pub close: u32,
    /// Number of interventions with a known round that recommended moves although the odds were from 40 to 60 % before
    /// the moves.
    pub close_before: u32,
    /// Results of the teams that had the better odds before the recommended moves.
    pub ahead: AheadAnswer,
}

/// Results of the teams that had the better odds before the recommended moves, compared with the predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadAnswer {
    /// Number of interventions with moves whose round is known and in which one team had the better odds before the
    /// moves.
    pub interventions: u32,
    /// Mean score (1 for a win, 0.5 for a draw) of the teams that had the better odds before the moves; `null` if
    /// `interventions` is 0.
    pub score: Option<f64>,
    /// Mean win probability, before the moves, of the teams that had the better odds; `null` if `interventions` is 0.
    pub predicted_before: Option<f64>,
    /// Mean win probability, after all recommended actions, of the teams that had the better odds before; `null` if
    /// `interventions` is 0.
    pub predicted_after: Option<f64>,
}
