//! Parts of answers about several teams, in place of the parts about two teams.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{PlayerId, Probability, TeamLetter};

/// A joining player and the recommended team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlacedInTeamAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Letter of the recommended team.
    pub team: TeamLetter,
}

/// Another way to place the joining players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherTeamSeatsAnswer {
    /// Every joining player with a team.
    pub placed: Vec<PlacedInTeamAnswer>,
    /// The teams after this placement.
    pub after: TeamTalliesAnswer,
}

/// A move of a player to another team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TeamMoveAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Letter of the player's present team.
    pub from: TeamLetter,
    /// Letter of the player's new team.
    pub to: TeamLetter,
}

/// The recommended numbers of bots.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamFillAnswer {
    /// Number of bots on each team, in the order of the request.
    pub bots: Vec<usize>,
    /// Weight that each added bot is assumed to have.
    pub bot_weight: f64,
}

/// The state of several teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTalliesAnswer {
    /// State of each team, in the order of the request.
    pub teams: Vec<TeamTallyAnswer>,
    /// Difference between the weights of the strongest and the weakest team.
    pub gap: f64,
    /// Win probability of the team with the highest sum of ratings against the team with the lowest (F1).
    pub favourite: Probability,
}

/// The state of one of several teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTallyAnswer {
    /// Letter of the team.
    pub team: TeamLetter,
    /// Number of players on the team.
    pub size: u32,
    /// Number of bots on the team.
    pub bots: u32,
    /// Total weight of the team, in the unit of the policy, such as rating points.
    pub sum: f64,
    /// Sum of the players' ratings, in points.
    pub rating: i64,
}
