use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::teams::{
    OtherTeamSeatsAnswer, PlacedInTeamAnswer, TeamFillAnswer, TeamMoveAnswer, TeamTalliesAnswer,
};
use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PolicyName, PoolName, PowerName, Probability, ServerName, Side, Timestamp,
};

/// Answer of `POST /v1/balance`. Its format depends on how the request sends the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceBody {
    /// Balance of a match of two teams, with recommended moves, for a request with `team_a` and `team_b`.
    Two(Box<BalanceAnswer<PlacedAnswer, MoveAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// Balance of a match of two to eight teams, with recommended moves, for a request with `teams`.
    Teams(
        Box<
            BalanceAnswer<
                PlacedInTeamAnswer,
                TeamMoveAnswer,
                TeamTalliesAnswer,
                Option<TeamFillAnswer>,
            >,
        >,
    ),
}

/// Answer of `POST /v1/place`. Its format depends on how the request sends the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlaceBody {
    /// Recommended teams of joining players in a match of two teams, for a request with `team_a` and `team_b`.
    Two(Box<PlaceAnswer<PlacedAnswer, OtherPlacementAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// Recommended teams of joining players in a match of two to eight teams, for a request with `teams`.
    Teams(
        Box<
            PlaceAnswer<
                PlacedInTeamAnswer,
                OtherTeamSeatsAnswer,
                TeamTalliesAnswer,
                Option<TeamFillAnswer>,
            >,
        >,
    ),
}

/// Answer about a match in progress: the balance of its teams, and the recommended actions.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field that a plugin reads"
)]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalanceAnswer<Placed, Moved, Teams, Filled> {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies were used for the answer.
    pub pool: PoolName,
    /// Name of the balance policy that was applied to the match.
    pub policy: PolicyName,
    /// Name of the power (player value from scoreboards) that players were weighed by; `rating` if no player has the
    /// requested power; `null` if no power was named and the policy's own weights were used.
    pub by: Option<PowerName>,
    /// Power (player value from scoreboards) of each player, in the order of the request; empty if no power was named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// `true` if the teams of the match break a rule of the balance policy, and no other rule suppresses the finding.
    pub unbalanced: bool,
    /// Rules of the balance policy that the teams break. With more than two teams, a limit applies to the two teams
    /// that are farthest apart.
    pub reasons: Vec<ReasonAnswer>,
    /// Rules by which the balance policy leaves these teams as they are; `unbalanced` is then `false`.
    pub suppressed: Vec<SuppressionAnswer>,
    /// Recommended teams of the joining players, in the order of the request. The other fields describe the teams with
    /// these players.
    pub placed: Vec<Placed>,
    /// Recommended moves of players to other teams, the best first.
    pub moves: Vec<Moved>,
    /// Sizes, weights and odds of the teams before the recommended actions, with the joining players.
    pub before: Teams,
    /// Sizes, weights and odds of the teams after all recommended actions.
    pub after: Teams,
    /// `true` if the teams are balanced after all recommended actions.
    pub balanced_after: bool,
    /// `true` if the recommended moves and `runners_up` are proven to be the best. Without moves: `true` if it is
    /// proven that no allowed moves balance the teams.
    pub optimal: bool,
    /// Up to 3 alternatives to the recommended moves, the best first. With moves: the next best choices of equally many
    /// players that balance the teams. Without moves: choices that improve the teams without balancing them.
    pub runners_up: Vec<RunnerUpAnswer<Moved, Teams>>,
    /// Players who must not be moved to another team, each with the reason.
    pub ineligible: Vec<IneligibleAnswer>,
    /// Recommended number of bots on each team; `null` unless the policy fills teams with bots.
    pub fill: Filled,
    /// Number of seconds within which the recommended actions should be carried out; `null` if there are none.
    pub apply_within_seconds: Option<u32>,
    /// `true` if each player in `moves` should be moved at the player's next death.
    pub apply_on_death: bool,
    /// Ticket: a text to send with the next request about this match; `null` if the teams are not unbalanced.
    pub ticket: Option<String>,
    /// Number of seconds to wait before the next request with the ticket, while nobody moves; 0 to act now; `null`
    /// without a ticket.
    pub ask_again_in_seconds: Option<u32>,
    /// Changes since the earlier answer whose ticket the request sent; `null` if the request had no ticket.
    pub since_ticket: Option<SinceTicketAnswer>,
    /// Summary of the teams' balance and the recommended actions as a sentence of at most 120 characters.
    pub message: String,
}

/// Changes in the balance of a match since the earlier answer whose ticket the request sent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SinceTicketAnswer {
    /// Time at which the teams of the match were first found unbalanced.
    pub found_at: Timestamp,
    /// Number of seconds since `found_at`, when the teams were first found unbalanced.
    pub seconds: u32,
    /// `true` if the teams still break a balance rule that the request's ticket names.
    pub stands: bool,
    /// Names of the balance rules in the request's ticket that the teams still break.
    pub rules_kept: Vec<String>,
    /// Names of the balance rules that the teams break now, and that the request's ticket does not contain.
    pub rules_added: Vec<String>,
    /// Names of the balance rules that the teams broke when the request's ticket was issued, and do not break now.
    pub rules_dropped: Vec<String>,
    /// Ids of the players whose recommended moves were in the request's ticket already.
    pub moves_kept: Vec<PlayerId>,
    /// Ids of the players whose recommended moves were not in the request's ticket.
    pub moves_added: Vec<PlayerId>,
    /// Ids of the players whose moves were in the request's ticket and are not recommended any more.
    pub moves_dropped: Vec<PlayerId>,
}

/// A rule of the balance policy that the teams of a match break, with the measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReasonAnswer {
    /// Name of the broken rule, such as `size_difference`.
    pub rule: String,
    /// Value that was measured for the broken rule, in the rule's unit (players, points or a share); `null` if the rule
    /// has no value.
    pub value: Option<f64>,
    /// Limit of the broken rule, in the unit of `value`; `null` if the rule has no limit.
    pub limit: Option<f64>,
    /// Value and limit of the broken rule, in words.
    pub detail: String,
}

/// A rule by which the balance policy leaves the teams of a match as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuppressionAnswer {
    /// Name of the rule by which teams are left as they are: `mode` or `seconds_left`.
    pub rule: &'static str,
    /// Reason in words why the policy leaves the teams as they are.
    pub detail: String,
}

/// A move of a player to the other team, with its effect on both teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// Id of the player who moves, with the old and the new team.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// Sizes, weights and odds of the teams after this move alone; for a swap, after both halves of the swap.
    pub alone: TeamsAnswer,
}

/// A move of a player to the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerMoveAnswer {
    /// Id of the player who moves.
    pub id: PlayerId,
    /// Team that the moved player leaves: `a` or `b`.
    pub from: Side,
    /// Team that the moved player joins: `a` or `b`.
    pub to: Side,
    /// Id of the player who moves the other way in a swap; `null` without a swap.
    pub with: Option<PlayerId>,
}

/// Sizes, weights, odds and rating sums of the two teams of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamsAnswer {
    /// Sizes, weights and odds of the two teams.
    #[serde(flatten)]
    pub sums: TeamSumsAnswer,
    /// Absolute difference between the teams' weights, in the unit of the policy, such as rating points. Adjusted for
    /// map and sizes if the pool's model knows their effect.
    pub difference: f64,
    /// Sum of the ratings of team a, in points.
    pub rating_a: i64,
    /// Sum of the ratings of team b, in points.
    pub rating_b: i64,
}

/// Sizes, weights and odds of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TeamSumsAnswer {
    /// Number of players on team a.
    pub size_a: u32,
    /// Number of players on team b.
    pub size_b: u32,
    /// Number of bots on team a.
    pub bots_a: u32,
    /// Number of bots on team b.
    pub bots_b: u32,
    /// Total weight of team a, in the unit of the policy, such as rating points.
    pub sum_a: f64,
    /// Total weight of team b, in the unit of the policy, such as rating points.
    pub sum_b: f64,
    /// Win probability of team a by the ratings (F1), adjusted for the effects of sides, maps and extra players that
    /// the pool knows.
    pub win_probability_a: Probability,
}

/// An alternative to the recommended moves of a match, with its effect on the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunnerUpAnswer<Moved, Teams> {
    /// Moves of players in this alternative to the recommended moves.
    pub moves: Vec<Moved>,
    /// Sizes, weights and odds of the teams after the moves of this alternative.
    pub after: Teams,
    /// `true` if the teams are balanced after the moves of this alternative.
    pub balanced_after: bool,
}

/// A player who must not be moved to another team, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct IneligibleAnswer {
    /// Id of the player who must not be moved.
    pub id: PlayerId,
    /// Reason why the player must not be moved: `party` (in a party), `moved` (moved in this match), `best` (among the
    /// team's best by points), `immune` or `just_joined`.
    pub why: &'static str,
}

/// Recommended numbers of bots on two teams, and the compensation for the weaker team.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FillAnswer {
    /// Recommended number of bots on team a.
    pub bots_a: usize,
    /// Recommended number of bots on team b.
    pub bots_b: usize,
    /// Weight that each added bot is assumed to have, in the unit of the policy, such as rating points.
    pub bot_weight: f64,
    /// Weaker team, and the factor by which to make it stronger; `null` if the teams weigh the same, or if the weaker
    /// team weighs nothing.
    pub advantage: Option<AdvantageAnswer>,
}

/// The weaker of two teams, and the factor by which it should be made stronger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct AdvantageAnswer {
    /// The weaker team, which should be made stronger: `a` or `b`.
    pub team: Side,
    /// Weight of the stronger team divided by the weight of the weaker team; above 1.
    pub factor: f64,
}

/// Recommended teams of the players who join a match, and the effect on the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceAnswer<Placed, Other, Teams, Filled> {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies were used for the answer.
    pub pool: PoolName,
    /// Name of the balance policy that was applied to the match.
    pub policy: PolicyName,
    /// Name of the power (player value from scoreboards) that players were weighed by; `rating` if no player has the
    /// requested power; `null` if no power was named and the policy's own weights were used.
    pub by: Option<PowerName>,
    /// Power (player value from scoreboards) of each player, in the order of the request; empty if no power was named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// Recommended teams of the joining players, in the order of the request.
    pub placed: Vec<Placed>,
    /// Sizes, weights and odds of the teams without the joining players.
    pub before: Teams,
    /// Sizes, weights and odds of the teams with the joining players.
    pub after: Teams,
    /// `true` if the recommended placement of the joining players is proven to be the best.
    pub optimal: bool,
    /// Up to 3 other placements of the joining players, the best first.
    pub runners_up: Vec<Other>,
    /// Recommended number of bots on each team after the placement; `null` unless the policy fills teams with bots.
    pub fill: Filled,
    /// Summary of the recommended teams of the joining players as a sentence of at most 120 characters.
    pub message: String,
}

/// A player who joins a match, and the recommended team.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlacedAnswer {
    /// Id of the joining player.
    pub id: PlayerId,
    /// Recommended team of the joining player: `a` or `b`.
    pub team: Side,
    /// Sizes, weights and odds of the teams if only this player joined.
    pub alone: TeamsAnswer,
}

/// An alternative to the recommended placement of the joining players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherPlacementAnswer {
    /// Ids of the joining players who are placed on team a.
    pub team_a: Vec<PlayerId>,
    /// Ids of the joining players who are placed on team b.
    pub team_b: Vec<PlayerId>,
    /// Sizes, weights and odds of the teams after this placement of the joining players.
    pub after: TeamsAnswer,
}
