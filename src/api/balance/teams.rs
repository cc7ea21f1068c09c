//! Answers about matches whose teams were sent as `teams`.

use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{
    BalanceAnswer, IneligibleAnswer, PlaceAnswer, ReasonAnswer, SinceTicketAnswer,
    SuppressionAnswer,
};
use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PolicyName, PoolName, PowerName, Probability, ServerName, TeamLetter,
};

/// `POST /v1/balance`, by the form in which the teams were sent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceBody {
    /// They were sent as `team_a` and `team_b`.
    Two(Box<BalanceAnswer>),
    /// They were sent as `teams`.
    Teams(Box<BalanceTeamsAnswer>),
}

/// `POST /v1/place`, by the form in which the teams were sent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlaceBody {
    /// They were sent as `team_a` and `team_b`.
    Two(Box<PlaceAnswer>),
    /// They were sent as `teams`.
    Teams(Box<PlaceTeamsAnswer>),
}

/// `POST /v1/balance`, where the teams were sent as `teams`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field that a plugin reads"
)]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalanceTeamsAnswer {
    /// As sent.
    pub server: ServerName,
    /// The pool whose ratings and policies count.
    pub pool: PoolName,
    /// The policy that was applied.
    pub policy: PolicyName,
    /// The power that players counted by, `rating` where the one asked for knows nothing of anybody;
    /// `null` where none is named, and the policy goes by what it says itself.
    pub by: Option<PowerName>,
    /// What everybody counted by that power, in the order sent; empty where none is named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// Whether something is wrong with the teams.
    pub unbalanced: bool,
    /// What: a limit of two teams holds for the two that are farthest apart.
    pub reasons: Vec<ReasonAnswer>,
    /// Why the teams are left alone whatever they are.
    pub suppressed: Vec<SuppressionAnswer>,
    /// Where those of `joining` go, in the order sent.
    pub placed: Vec<PlacedInTeamAnswer>,
    /// Who should change teams.
    pub moves: Vec<TeamMoveAnswer>,
    /// The teams as they stand, with those of `joining`.
    pub before: TeamTalliesAnswer,
    /// The teams once that is done.
    pub after: TeamTalliesAnswer,
    /// Whether they are balanced then.
    pub balanced_after: bool,
    /// Whether nothing better than the moves is proven to exist; where nobody moves, that nothing that
    /// is allowed would balance the teams.
    pub optimal: bool,
    /// What could be done instead, the best first of what was found.
    pub runners_up: Vec<TeamRunnerUpAnswer>,
    /// Who must not be moved.
    pub ineligible: Vec<IneligibleAnswer>,
    /// What a bot is taken to weigh, where the policy fills up with bots: `after` has how many there
    /// should be.
    pub bot_weight: Option<f64>,
    /// Within how many seconds to do it; `null` where there is nothing to do.
    pub apply_within_seconds: Option<u32>,
    /// Whether to move each player at the next death.
    pub apply_on_death: bool,
    /// What to send as `ticket` with the next request about this match; `null` where the teams are not
    /// unbalanced.
    pub ticket: Option<String>,
    /// In how many seconds to ask again with the ticket before anybody moves, 0 for now; `null`
    /// where there is no ticket.
    pub ask_again_in_seconds: Option<u32>,
    /// What has changed since the ticket that was sent; `null` where none was.
    pub since_ticket: Option<SinceTicketAnswer>,
    /// All of it in a sentence.
    pub say: String,
}

/// `POST /v1/place`, where the teams were sent as `teams`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceTeamsAnswer {
    /// As sent.
    pub server: ServerName,
    /// The pool whose ratings and policies count.
    pub pool: PoolName,
    /// The policy that was applied.
    pub policy: PolicyName,
    /// The power that players counted by, `rating` where the one asked for knows nothing of anybody;
    /// `null` where none is named, and the policy goes by what it says itself.
    pub by: Option<PowerName>,
    /// What everybody counted by that power, in the order sent; empty where none is named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// Where everybody who joins goes, in the order sent.
    pub placed: Vec<PlacedInTeamAnswer>,
    /// The teams as they stand, without them.
    pub before: TeamTalliesAnswer,
    /// The teams with them.
    pub after: TeamTalliesAnswer,
    /// Whether no better way to place them is proven to exist.
    pub optimal: bool,
    /// Other ways, the best first of what was found.
    pub runners_up: Vec<OtherTeamSeatsAnswer>,
    /// What a bot is taken to weigh, where the policy fills up with bots: `after` has how many there
    /// should be.
    pub bot_weight: Option<f64>,
    /// All of it in a sentence.
    pub say: String,
}

/// Somebody who joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlacedInTeamAnswer {
    /// Who.
    pub id: PlayerId,
    /// Which team.
    pub team: TeamLetter,
}

/// Another way to place those who join.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherTeamSeatsAnswer {
    /// Where everybody who joins would go.
    pub placed: Vec<PlacedInTeamAnswer>,
    /// The teams then.
    pub after: TeamTalliesAnswer,
}

/// Somebody who changes teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TeamMoveAnswer {
    /// Who.
    pub id: PlayerId,
    /// From which team.
    pub from: TeamLetter,
    /// To which team.
    pub to: TeamLetter,
}

/// Other moves.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamRunnerUpAnswer {
    /// Who would change teams.
    pub moves: Vec<TeamMoveAnswer>,
    /// The teams then.
    pub after: TeamTalliesAnswer,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

/// How several teams stand.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTalliesAnswer {
    /// The teams, in the order sent.
    pub teams: Vec<TeamTallyAnswer>,
    /// By how much the strongest team weighs more than the weakest.
    pub spread: f64,
    /// The win probability of the team of the highest ratings against that of the lowest (F1).
    pub favourite: Probability,
}

/// How one of several teams stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTallyAnswer {
    /// Which team.
    pub team: TeamLetter,
    /// Players.
    pub size: u32,
    /// Bots.
    pub bots: u32,
    /// What it weighs by the policy.
    pub sum: f64,
    /// The sum of its players' ratings.
    pub rating: i64,
}
