use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PairAnswer, PlayerMoveAnswer, ReasonAnswer, TeamSumsAnswer};
use crate::domain::{
    InterventionResult, PlayerDisplayName, PolicyName, PoolName, Probability, RoundId, ServerName,
    Timestamp, Winner,
};

/// `GET /v1/admin/interventions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionsAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When matches were found unbalanced, the latest first.
    pub interventions: Vec<InterventionAnswer>,
    /// What to send as `after` for the next page; `null` at the end.
    pub next: Option<String>,
}

/// What was answered about a match that was found unbalanced in mid-round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionAnswer {
    /// Whose match.
    pub server: ServerName,
    /// When it was first asked for.
    pub first_asked_at: Timestamp,
    /// When it was last asked for.
    pub last_asked_at: Timestamp,
    /// How often it was asked for and answered the same.
    pub asked: u32,
    /// The policy that was applied.
    pub policy: PolicyName,
    /// What was answered.
    pub result: InterventionResult,
    /// Why.
    pub reasons: Vec<ReasonAnswer>,
    /// Who should change teams, the best first.
    pub moves: Vec<InterventionMoveAnswer>,
    /// The teams as they stood.
    pub before: TeamSumsAnswer,
    /// The teams once everything is done.
    pub after: TeamSumsAnswer,
    /// Whether they are balanced then.
    pub balanced_after: bool,
    /// The round that it was in; `null` while none is known.
    pub round: Option<InterventionRoundAnswer>,
}

/// Who should have changed teams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionMoveAnswer {
    /// Who, and between which teams.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// What people read in place of the player's id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// The same of whoever comes in exchange.
    pub with_name: Option<PlayerDisplayName>,
}

/// How the round ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundAnswer {
    /// Its id.
    pub round_id: RoundId,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How many seconds that was after the intervention was first asked for.
    pub seconds_after: u32,
    /// How it ended.
    pub winner: Winner,
    /// The win probability of each team that it was counted with (F1).
    pub win_probability: PairAnswer<Probability>,
}

/// `GET /v1/admin/interventions/summary`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionSummaryAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When the first day begins.
    pub from: Timestamp,
    /// How many days, today included.
    pub days: u32,
    /// Whether all interventions of these days are counted; else only the latest of them.
    pub complete: bool,
    /// How many are counted at most.
    pub at_most: u32,
    /// How many interventions there were.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
    /// How many players were to change teams, each time that one was.
    pub moved_players: u32,
    /// Day by day, in UTC, the oldest first.
    pub by_day: Vec<InterventionDayAnswer>,
    /// By the rules by which the teams were unbalanced, the most frequent first.
    pub by_rule: Vec<RuleCountAnswer>,
    /// By the policy that was applied, the most frequent first.
    pub by_policy: Vec<PolicyCountAnswer>,
    /// What the moves were to do to the odds.
    pub odds: InterventionOddsAnswer,
    /// What became of the rounds in which players were to change teams.
    pub rounds: InterventionRoundsAnswer,
}

/// The interventions of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionDayAnswer {
    /// When the day begins.
    pub from: Timestamp,
    /// How many interventions there were.
    #[serde(flatten)]
    pub counts: InterventionCountsAnswer,
}

/// Numbers of interventions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InterventionCountsAnswer {
    /// How many there were.
    pub interventions: u32,
    /// In how many players were to change teams.
    pub moved: u32,
    /// In how many bots were to come or go.
    pub filled: u32,
    /// In how many nothing that is allowed balanced the teams.
    pub nothing_helps: u32,
}

/// How often teams were unbalanced by a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RuleCountAnswer {
    /// Which rule.
    pub rule: String,
    /// How many interventions it had a part in.
    pub interventions: u32,
}

/// How often a policy found teams unbalanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PolicyCountAnswer {
    /// Which policy.
    pub policy: PolicyName,
    /// How many interventions were its.
    pub interventions: u32,
}

/// How far from even the odds were where players were to change teams: the mean of |P - 0.5|.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionOddsAnswer {
    /// As the teams stood; `null` where nobody was to change teams.
    pub before: Option<f64>,
    /// Once everything is done; `null` where nobody was to change teams.
    pub after: Option<f64>,
}

/// How the rounds ended in which players were to change teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InterventionRoundsAnswer {
    /// Of how many interventions the round is known.
    pub known: u32,
    /// In how many of these it was counted with odds from 40 to 60 %.
    pub close: u32,
    /// In how many of these the odds were from 40 to 60 % before anybody changed teams.
    pub close_before: u32,
    /// The team that was ahead before anybody changed teams.
    pub ahead: AheadAnswer,
}

/// How often the team won that was ahead before the moves, against how often it should have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AheadAnswer {
    /// Of how many interventions the round is known and one team was ahead.
    pub interventions: u32,
    /// Its mean score: 1 for a victory, 0.5 for a draw.
    pub score: Option<f64>,
    /// Its mean win probability as the teams stood.
    pub predicted_before: Option<f64>,
    /// Its mean win probability once everything is done.
    pub predicted_after: Option<f64>,
}
