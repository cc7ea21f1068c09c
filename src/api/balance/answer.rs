use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::teams::{
    OtherTeamSeatsAnswer, PlacedInTeamAnswer, TeamFillAnswer, TeamMoveAnswer, TeamTalliesAnswer,
};
use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PolicyName, PoolName, PowerName, Probability, ServerName, Side, Timestamp,
};

/// Answer of `POST /v1/balance`, in the form in which the request sent the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceBody {
    /// Answer to a request with `team_a` and `team_b`.
    Two(Box<BalanceAnswer<PlacedAnswer, MoveAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// Answer to a request with `teams`.
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

/// Answer of `POST /v1/place`, in the form in which the request sent the teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlaceBody {
    /// Answer to a request with `team_a` and `team_b`.
    Two(Box<PlaceAnswer<PlacedAnswer, OtherPlacementAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// Answer to a request with `teams`.
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

/// Finding about the teams of a match, and the recommended actions.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field that a plugin reads"
)]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalanceAnswer<Placed, Moved, Teams, Filled> {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies were used.
    pub pool: PoolName,
    /// Name of the balance policy that was applied.
    pub policy: PolicyName,
    /// Name of the power that players were weighed by; `rating` if no player has the requested power; `null` if no
    /// power was named and the policy's own weights were used.
    pub by: Option<PowerName>,
    /// Power of each player, in the order of the request; empty if no power was named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// `true` if the teams are unbalanced by the policy.
    pub unbalanced: bool,
    /// Broken rules of the policy. With several teams, a limit applies to the two teams that are farthest apart.
    pub reasons: Vec<ReasonAnswer>,
    /// Rules by which the policy leaves the teams alone; `unbalanced` is then `false`.
    pub suppressed: Vec<SuppressionAnswer>,
    /// Teams of the joining players, in the order of the request. The other fields
    /// describe the teams with these players.
    pub placed: Vec<Placed>,
    /// Recommended moves, the best first.
    pub moves: Vec<Moved>,
    /// The teams as they stand, with the joining players.
    pub before: Teams,
    /// The teams after all recommended actions.
    pub after: Teams,
    /// `true` if the teams are balanced after all recommended actions.
    pub balanced_after: bool,
    /// `true` if the moves and `runners_up` are proven to be the best. Without moves: if it is proven
    /// that no allowed moves balance the teams.
    pub optimal: bool,
    /// Alternatives, the best first. With moves: the next best choices of equally many players that balance the teams.
    /// Without moves: choices that improve the teams without balancing them.
    pub runners_up: Vec<RunnerUpAnswer<Moved, Teams>>,
    /// Players who must not be moved.
    pub ineligible: Vec<IneligibleAnswer>,
    /// Recommended numbers of bots, if the policy fills teams with bots; otherwise `null`.
    pub fill: Filled,
    /// Number of seconds within which to act; `null` if there is nothing to do.
    pub apply_within_seconds: Option<u32>,
    /// `true` if each player should be moved at the player's next death.
    pub apply_on_death: bool,
    /// Ticket to send with the next request about this match; `null` if the teams are not unbalanced.
    pub ticket: Option<String>,
    /// Number of seconds to wait before asking again with the ticket, while nobody moves;
    /// 0 to act now; `null` without a ticket.
    pub ask_again_in_seconds: Option<u32>,
    /// Changes since the ticket of the request; `null` if the request had none.
    pub since_ticket: Option<SinceTicketAnswer>,
    /// Summary as a sentence.
    pub message: String,
}

/// Differences between the present finding and the ticket of the request.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SinceTicketAnswer {
    /// Time at which the teams were first found unbalanced.
    pub found_at: Timestamp,
    /// Number of seconds since `found_at`.
    pub seconds: u32,
    /// `true` if the teams still break a rule of the ticket.
    pub stands: bool,
    /// Rules of the ticket that the teams still break.
    pub rules_kept: Vec<String>,
    /// Rules that the teams break now, and that the ticket does not contain.
    pub rules_added: Vec<String>,
    /// Rules of the ticket that the teams do not break any more.
    pub rules_dropped: Vec<String>,
    /// Players whose moves are recommended now and were in the ticket.
    pub moves_kept: Vec<PlayerId>,
    /// Players whose moves are recommended now and were not in the ticket.
    pub moves_added: Vec<PlayerId>,
    /// Players whose moves were in the ticket and are not recommended any more.
    pub moves_dropped: Vec<PlayerId>,
}

/// A rule of the policy that the teams break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReasonAnswer {
    /// Name of the rule.
    pub rule: String,
    /// The measured value, in the unit of the rule; `null` if the rule has no value.
    pub value: Option<f64>,
    /// Limit that the value breaks, in the unit of the rule; `null` if the rule has no limit.
    pub limit: Option<f64>,
    /// Value and limit in words.
    pub detail: String,
}

/// A rule by which the policy leaves teams alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuppressionAnswer {
    /// Name of the rule: `mode` or `seconds_left`.
    pub rule: &'static str,
    /// The rule in words.
    pub detail: String,
}

/// A move of a player to the other team, with its effect.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// The player and the teams.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// The teams after this move alone; for a swap, after both halves of the swap.
    pub alone: TeamsAnswer,
}

/// A move of a player to the other team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerMoveAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// The player's present team.
    pub from: Side,
    /// The player's new team.
    pub to: Side,
    /// Id of the player who moves the other way in a swap; `null` without a swap.
    pub with: Option<PlayerId>,
}

/// The state of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct TeamsAnswer {
    /// Sizes, weights and odds.
    #[serde(flatten)]
    pub sums: TeamSumsAnswer,
    /// Absolute difference between the teams' weights, adjusted for map and sizes
    /// if the pool's model knows their effect.
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
    /// Win probability of team a by the ratings (F1), adjusted for sides, maps and extra players that the pool knows.
    pub win_probability_a: Probability,
}

/// An alternative to the recommended moves.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunnerUpAnswer<Moved, Teams> {
    /// Moves of this alternative.
    pub moves: Vec<Moved>,
    /// The teams after the moves of this alternative.
    pub after: Teams,
    /// `true` if the teams are balanced after the moves of this alternative.
    pub balanced_after: bool,
}

/// A player who must not be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct IneligibleAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Reason: `party` (in a party), `moved` (moved in this match), `best` (among the team's best
    /// by points), `immune` or `just_joined`.
    pub why: &'static str,
}

/// The recommended numbers of bots.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FillAnswer {
    /// Number of bots on team a.
    pub bots_a: usize,
    /// Number of bots on team b.
    pub bots_b: usize,
    /// Weight that each added bot is assumed to have.
    pub bot_weight: f64,
    /// Compensation for the weaker team; `null` if the teams weigh the same, or if the weaker team weighs nothing.
    pub advantage: Option<AdvantageAnswer>,
}

/// Factor by which a team should be made stronger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct AdvantageAnswer {
    /// The team to make stronger.
    pub team: Side,
    /// Weight of the other team divided by the weight of this team; above 1.
    pub factor: f64,
}

/// Recommended teams of joining players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceAnswer<Placed, Other, Teams, Filled> {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings and policies were used.
    pub pool: PoolName,
    /// Name of the balance policy that was applied.
    pub policy: PolicyName,
    /// Name of the power that players were weighed by; `rating` if no player has the requested power; `null` if no
    /// power was named and the policy's own weights were used.
    pub by: Option<PowerName>,
    /// Power of each player, in the order of the request; empty if no power was named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// Teams of the joining players, in the order of the request.
    pub placed: Vec<Placed>,
    /// The teams without the joining players.
    pub before: Teams,
    /// The teams with the joining players.
    pub after: Teams,
    /// `true` if this placement is proven to be the best.
    pub optimal: bool,
    /// Other placements, the best first.
    pub runners_up: Vec<Other>,
    /// Recommended numbers of bots after the placement, if the policy fills teams with bots; otherwise `null`.
    pub fill: Filled,
    /// Summary as a sentence.
    pub message: String,
}

/// A joining player and the recommended team.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlacedAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// The recommended team of the player.
    pub team: Side,
    /// The teams if only this player joined.
    pub alone: TeamsAnswer,
}

/// Another way to place the joining players.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherPlacementAnswer {
    /// Ids of the joining players on team a.
    pub team_a: Vec<PlayerId>,
    /// Ids of the joining players on team b.
    pub team_b: Vec<PlayerId>,
    /// The teams after this placement.
    pub after: TeamsAnswer,
}
