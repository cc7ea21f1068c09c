use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::teams::{
    OtherTeamSeatsAnswer, PlacedInTeamAnswer, TeamFillAnswer, TeamMoveAnswer, TeamTalliesAnswer,
};
use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PolicyName, PoolName, PowerName, Probability, ServerName, Side, Timestamp,
};

/// `POST /v1/balance`, in the form in which the teams were sent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceBody {
    /// They were sent as `team_a` and `team_b`.
    Two(Box<BalanceAnswer<PlacedAnswer, MoveAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// They were sent as `teams`.
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

/// `POST /v1/place`, in the form in which the teams were sent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum PlaceBody {
    /// They were sent as `team_a` and `team_b`.
    Two(Box<PlaceAnswer<PlacedAnswer, OtherPlacementAnswer, TeamsAnswer, Option<FillAnswer>>>),
    /// They were sent as `teams`.
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

/// Whether teams are unbalanced, and what to do about it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field that a plugin reads"
)]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalanceAnswer<Placed, Moved, Teams, Filled> {
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
    /// What: of several teams, a limit holds for the two that are farthest apart.
    pub reasons: Vec<ReasonAnswer>,
    /// Why the teams are left alone whatever they are.
    pub suppressed: Vec<SuppressionAnswer>,
    /// Where those of `joining` go, in the order sent; the rest of the answer is about the teams with
    /// them.
    pub placed: Vec<Placed>,
    /// Who should change teams, the best first.
    pub moves: Vec<Moved>,
    /// The teams as they stand, with those of `joining`.
    pub before: Teams,
    /// The teams once that is done.
    pub after: Teams,
    /// Whether they are balanced then.
    pub balanced_after: bool,
    /// Whether nothing better is proven to exist, of the moves and of the runners-up; where nobody
    /// moves, that nothing that is allowed would balance the teams.
    pub optimal: bool,
    /// What could be done instead, the best first: the next best choices of as many players that
    /// balance the teams too or, where nobody moves, those that help at least.
    pub runners_up: Vec<RunnerUpAnswer<Moved, Teams>>,
    /// Who must not be moved.
    pub ineligible: Vec<IneligibleAnswer>,
    /// The bots there should be, where the policy fills up with bots.
    pub fill: Filled,
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

/// What has changed since a ticket.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SinceTicketAnswer {
    /// When the teams were first found unbalanced.
    pub found_at: Timestamp,
    /// How many seconds ago that was.
    pub seconds: u32,
    /// Whether a rule that the ticket names still finds the teams unbalanced.
    pub stands: bool,
    /// The rules that did so then and still do.
    pub rules_kept: Vec<String>,
    /// The rules that do so now and did not then.
    pub rules_added: Vec<String>,
    /// The rules that did so then and do not now.
    pub rules_dropped: Vec<String>,
    /// Who was to move then, and is to make the same move now.
    pub moves_kept: Vec<PlayerId>,
    /// Who is to move now, and was not to make that move then.
    pub moves_added: Vec<PlayerId>,
    /// Who was to move then, and is not to make that move now.
    pub moves_dropped: Vec<PlayerId>,
}

/// Why teams are unbalanced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReasonAnswer {
    /// Which rule.
    pub rule: String,
    /// The figure; `null` where the rule has none.
    pub value: Option<f64>,
    /// The limit that it breaks; `null` where the rule has none.
    pub limit: Option<f64>,
    /// Both in words.
    pub detail: String,
}

/// Why teams are left alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SuppressionAnswer {
    /// Which rule.
    pub rule: &'static str,
    /// In words.
    pub detail: String,
}

/// Somebody who changes teams.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// Who, and between which teams.
    #[serde(flatten)]
    pub player: PlayerMoveAnswer,
    /// The teams after this move alone, in a swap with the other half of it.
    pub alone: TeamsAnswer,
}

/// Who changes teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerMoveAnswer {
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
pub struct TeamsAnswer {
    /// Their sizes, what they weigh, and the odds.
    #[serde(flatten)]
    pub sums: TeamSumsAnswer,
    /// |sum_a - sum_b|.
    pub difference: f64,
    /// The sum of team a's ratings.
    pub rating_a: i64,
    /// The sum of team b's ratings.
    pub rating_b: i64,
}

/// The sizes of the teams, what they weigh, and the odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TeamSumsAnswer {
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
    /// The win probability of team a by the ratings (F1), and by what the pool's model knows of sides, maps and a player more.
    pub win_probability_a: Probability,
}

/// Other moves.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunnerUpAnswer<Moved, Teams> {
    /// Who would change teams.
    pub moves: Vec<Moved>,
    /// The teams then.
    pub after: Teams,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

/// Somebody who must not be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct IneligibleAnswer {
    /// Who.
    pub id: PlayerId,
    /// `party`, `moved`, `best`, `immune` or `just_joined`.
    pub why: &'static str,
}

/// The bots there should be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FillAnswer {
    /// On team a.
    pub bots_a: usize,
    /// On team b.
    pub bots_b: usize,
    /// What each is taken to weigh.
    pub bot_weight: f64,
    /// What the weaker team should be given.
    pub advantage: Option<AdvantageAnswer>,
}

/// How much stronger a team should be made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct AdvantageAnswer {
    /// Which team.
    pub team: Side,
    /// By what factor, above 1.
    pub factor: f64,
}

/// Where those go who join.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlaceAnswer<Placed, Other, Teams, Filled> {
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
    pub placed: Vec<Placed>,
    /// The teams as they stand, without them.
    pub before: Teams,
    /// The teams with them.
    pub after: Teams,
    /// Whether no better way to place them is proven to exist.
    pub optimal: bool,
    /// Other ways, the next best first.
    pub runners_up: Vec<Other>,
    /// The bots there should be then, where the policy fills up with bots.
    pub fill: Filled,
    /// All of it in a sentence.
    pub say: String,
}

/// Somebody who joins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlacedAnswer {
    /// Who.
    pub id: PlayerId,
    /// Which team.
    pub team: Side,
    /// The teams if nobody else joined.
    pub alone: TeamsAnswer,
}

/// Another way to place those who join.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherPlacementAnswer {
    /// Who would go to team a.
    pub team_a: Vec<PlayerId>,
    /// Who would go to team b.
    pub team_b: Vec<PlayerId>,
    /// The teams then.
    pub after: TeamsAnswer,
}
