//! Parts of answers about matches of two to eight teams, in place of the parts about teams a and b.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{PlayerId, Probability, TeamLetter};

/// A player who joins a match of two to eight teams, and the recommended team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlacedInTeamAnswer {
    /// Id of the joining player.
    pub id: PlayerId,
    /// Letter of the recommended team: `a` for the first team of the request.
    pub team: TeamLetter,
}

/// An alternative to the recommended placement of the joining players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherTeamSeatsAnswer {
    /// Joining players, each with the team of this placement, in the order of the request.
    pub placed: Vec<PlacedInTeamAnswer>,
    /// Sizes, weights and odds of the teams after this placement of the joining players.
    pub after: TeamTalliesAnswer,
}

/// A move of a player to another team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TeamMoveAnswer {
    /// Id of the player who moves.
    pub id: PlayerId,
    /// Letter of the team that the player leaves: `a` for the first team of the request.
    pub from: TeamLetter,
    /// Letter of the team that the player joins: `a` for the first team of the request.
    pub to: TeamLetter,
}

/// Recommended numbers of bots on two to eight teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamFillAnswer {
    /// Recommended number of bots on each team, in the order of the teams in the request.
    pub bots: Vec<usize>,
    /// Weight that each added bot is assumed to have, in the unit of the policy, such as rating points.
    pub bot_weight: f64,
}

/// Sizes, weights and odds of the two to eight teams of a match.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTalliesAnswer {
    /// Size, weight and rating sum of each team, in the order of the teams in the request.
    pub teams: Vec<TeamTallyAnswer>,
    /// Weight of the strongest team minus the weight of the weakest team, in the unit of the policy, such as rating
    /// points.
    pub gap: f64,
    /// Win probability of the team with the highest sum of ratings against the team with the lowest (F1).
    pub favourite: Probability,
}

/// Size, weight and rating sum of one of the two to eight teams of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamTallyAnswer {
    /// Letter of the team: `a` for the first team of the request.
    pub team: TeamLetter,
    /// Number of players on the team.
    pub size: u32,
    /// Number of bots on the team.
    pub bots: u32,
    /// Total weight of the team, in the unit of the policy, such as rating points.
    pub sum: f64,
    /// Sum of the ratings of the team's players, in points.
    pub rating: i64,
}
