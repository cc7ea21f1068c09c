//! What answers about several teams have in place of those about two.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{PlayerId, Probability, TeamLetter};

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

/// The bots that there should be.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamFillAnswer {
    /// On each team, in the order sent.
    pub bots: Vec<usize>,
    /// What each is taken to weigh.
    pub bot_weight: f64,
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
