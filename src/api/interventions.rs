use serde::Serialize;
use utoipa::ToSchema;

use super::PairAnswer;
use crate::domain::{
    PlayerId, PolicyName, PoolName, Probability, RoundId, ServerName, Side, Timestamp, Winner,
};

/// `GET /v1/admin/interventions`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InterventionsAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// When matches were found unbalanced, the latest first.
    pub interventions: Vec<InterventionAnswer>,
    /// What to send as `after` for the next page; `None` at the end.
    pub next: Option<String>,
}

/// What was answered about a match that was found unbalanced in mid-round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
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
    pub reasons: Vec<InterventionReasonAnswer>,
    /// Who should change teams, the best first.
    pub moves: Vec<InterventionMoveAnswer>,
    /// The teams as they stood.
    pub before: InterventionTeamsAnswer,
    /// The teams once everything is done.
    pub after: InterventionTeamsAnswer,
    /// Whether they are balanced then.
    pub balanced_after: bool,
    /// The round that it was in; `null` while none is known.
    pub round: Option<InterventionRoundAnswer>,
}

/// What is to be done about teams that are unbalanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterventionResult {
    /// Players change teams.
    Moved,
    /// Bots come or go.
    Filled,
    /// Nothing that is allowed balances the teams.
    NothingHelps,
}

impl InterventionResult {
    /// What is done where somebody is to change teams, or nobody and the teams are balanced once all
    /// of it is done.
    #[must_use]
    pub fn of(has_moves: bool, balanced_after: bool) -> Self {
        match (has_moves, balanced_after) {
            (true, _) => Self::Moved,
            (false, true) => Self::Filled,
            (false, false) => Self::NothingHelps,
        }
    }
}

/// A rule that said that the teams are unbalanced.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InterventionReasonAnswer {
    /// Which rule.
    pub rule: String,
    /// The figure; `null` where the rule has none.
    pub value: Option<f64>,
    /// The limit that it breaks; `null` where the rule has none.
    pub limit: Option<f64>,
    /// Both in words.
    pub detail: String,
}

/// Somebody who should change teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct InterventionMoveAnswer {
    /// Who.
    pub id: PlayerId,
    /// From which team.
    pub from: Side,
    /// To which team.
    pub to: Side,
    /// Who comes in exchange, in a swap.
    pub with: Option<PlayerId>,
}

/// How the teams stand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct InterventionTeamsAnswer {
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

/// How the round ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct InterventionRoundAnswer {
    /// Its id.
    pub round_id: RoundId,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How many seconds that was after the intervention was first asked for.
    pub seconds_after: u32,
    /// How it ended.
    pub winner: Winner,
    /// F1, with which it was counted.
    pub win_probability: PairAnswer<Probability>,
}

/// `GET /v1/admin/interventions/summary`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
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
    /// How many there were.
    pub interventions: u32,
    /// In how many players were to change teams.
    pub moved: u32,
    /// In how many bots were to come or go.
    pub filled: u32,
    /// In how many nothing that is allowed balanced the teams.
    pub nothing_helps: u32,
    /// How many players were to change teams, each time that one was.
    pub moved_players: u32,
    /// Day by day, in UTC, the oldest first.
    pub by_day: Vec<InterventionDayAnswer>,
    /// By the rules that said that the teams were unbalanced, the most frequent first.
    pub by_rule: Vec<RuleCountAnswer>,
    /// By the policy that was applied, the most frequent first.
    pub by_policy: Vec<PolicyCountAnswer>,
    /// What the moves were to do to the odds.
    pub odds: InterventionOddsAnswer,
    /// What became of the rounds in which players were to change teams.
    pub rounds: InterventionRoundsAnswer,
}

/// The interventions of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct InterventionDayAnswer {
    /// When the day begins.
    pub from: Timestamp,
    /// How many there were.
    pub interventions: u32,
    /// In how many of them players were to change teams.
    pub moved: u32,
    /// In how many of them bots were to come or go.
    pub filled: u32,
    /// In how many of them nothing that is allowed balanced the teams.
    pub nothing_helps: u32,
}

/// How often a rule said that teams are unbalanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RuleCountAnswer {
    /// Which rule.
    pub rule: String,
    /// How many interventions it had a part in.
    pub interventions: u32,
}

/// How often a policy found teams unbalanced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PolicyCountAnswer {
    /// Which policy.
    pub policy: PolicyName,
    /// How many interventions were its.
    pub interventions: u32,
}

/// How far from even the odds were where players were to change teams: the mean of |P - 0.5|.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct InterventionOddsAnswer {
    /// As the teams stood; `null` where nobody was to change teams.
    pub before: Option<f64>,
    /// Once everything is done; `null` where nobody was to change teams.
    pub after: Option<f64>,
}

/// How the rounds ended in which players were to change teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
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
