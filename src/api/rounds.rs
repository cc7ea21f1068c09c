use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::pagination::{Cursor, Moment, PageSize, TimePlace};
use super::quality::whole_where_possible;
use super::schema::{AnyPlayerId, AnyTime};
use super::{PairAnswer, ProgressAnswer, RatedPlayerAnswer, ReasonText};
use crate::domain::{
    BotCounts, ChangeId, Fingerprint, MapName, ModeName, MutatorName, Mutators, PlayerDisplayName,
    PlayerEntry, PlayerId, PoolName, Probability, Rating, RoundActionName, RoundId, ServerName,
    Timestamp, Winner,
};

/// The query of `GET /v1/admin/rounds`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RoundsQuery {
    /// The pool; the server's, or `default`, where it is left out.
    pub pool: Option<PoolName>,
    /// Only rounds of this server.
    pub server: Option<ServerName>,
    /// Only rounds on this map.
    pub map: Option<MapName>,
    /// Only rounds that this player stands in.
    #[param(value_type = Option<AnyPlayerId>)]
    pub player: Option<PlayerId>,
    /// Only rounds that ended then or later.
    pub from: Option<Moment>,
    /// Only rounds that ended before.
    pub to: Option<Moment>,
    /// Only rounds that came with the secret of this fingerprint.
    pub secret: Option<Fingerprint>,
    /// Only rounds that arrived then or later, whenever they ended.
    pub received_from: Option<Moment>,
    /// Only rounds that arrived before.
    pub received_to: Option<Moment>,
    /// How many at most; 50 where it is left out.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<TimePlace>, inline)]
    pub after: Option<Cursor<TimePlace>>,
}

/// `POST /v1/admin/rounds/{server}/{round_id}/void`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// Why.
    pub reason: ReasonText,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// `POST /v1/admin/rounds/{server}/{round_id}/correct`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectRequest {
    /// How the round ended.
    pub winner: Winner,
    /// Why.
    pub reason: ReasonText,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// `POST /v1/admin/rounds/void`: every round that meets all given conditions. `secret`, `server` or `pool` is required, and
/// `since` or `received_since`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRoundsRequest {
    /// Rounds that came with the secret of this fingerprint. Without `server` and `pool`, the names that it set are
    /// taken back too.
    pub secret: Option<Fingerprint>,
    /// Rounds of this server.
    pub server: Option<ServerName>,
    /// Rounds of this pool; of every pool where it is left out.
    pub pool: Option<PoolName>,
    /// Rounds that ended then or later, as the game server said.
    #[schema(value_type = Option<AnyTime>)]
    pub since: Option<Timestamp>,
    /// Rounds that ended before; without it, all since.
    #[schema(value_type = Option<AnyTime>)]
    pub until: Option<Timestamp>,
    /// Rounds that arrived then or later, by the clock of this service.
    #[schema(value_type = Option<AnyTime>)]
    pub received_since: Option<Timestamp>,
    /// Rounds that arrived before.
    #[schema(value_type = Option<AnyTime>)]
    pub received_until: Option<Timestamp>,
    /// Why.
    pub reason: ReasonText,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
    /// Whether to say only what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// What `POST /v1/admin/rounds/void` did, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidRoundsAnswer {
    /// How many rounds do not count any more by this; those that were void before are not among them.
    pub rounds: u64,
    /// Number of names that are deleted. The next request of a game server sets a name again.
    pub names: u64,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// The pools that have such rounds.
    pub pools: Vec<VoidedPoolAnswer>,
}

/// The effect of a void of several rounds on one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidedPoolAnswer {
    /// The pool.
    pub pool: PoolName,
    /// Number of rounds of the pool that stop counting.
    pub rounds: u64,
    /// Of a dry run, whose ratings would move; `null` where that takes longer to compute than an answer may take,
    /// and where it was done.
    pub moved: Option<MovedRatingsAnswer>,
}

/// Ratings that something would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedRatingsAnswer {
    /// Number of players whose rating would be another.
    pub players: u64,
    /// Sum of the changes of all players, in points, each counted as positive.
    pub points: u64,
    /// Largest changes, up to ten: those of players whose rating is shown first, of these the largest first.
    pub largest: Vec<MovedRatingAnswer>,
}

/// A rating that would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedRatingAnswer {
    /// The player.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Whether people are not to be shown the id: `name` stands in its place.
    pub id_hidden: bool,
    /// The rating now, in points.
    pub before: Rating,
    /// The rating then.
    pub after: Rating,
}

/// A round as it came, and whether it counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundAnswer {
    /// As sent.
    pub round_id: RoundId,
    /// As sent.
    pub server: ServerName,
    /// The pool that it was counted in.
    pub pool: PoolName,
    /// As sent.
    pub map: Option<MapName>,
    /// As sent.
    pub mode: Option<ModeName>,
    /// As sent, sorted, each once.
    #[serde(default)]
    #[schema(value_type = Vec<MutatorName>)]
    pub mutators: Mutators,
    /// The bots that played on each team, as sent.
    #[serde(default)]
    pub bots: PairAnswer<BotCounts>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// When it was taken.
    pub received_at: Timestamp,
    /// The fingerprint of the secret that the round was sent with; `null` for a round from a file.
    #[serde(default)]
    pub secret: Option<Fingerprint>,
    /// How it ended, as it counts.
    pub winner: Winner,
    /// Where an admin corrected that, how it ended as reported, and why.
    pub correction: Option<CorrectionAnswer>,
    /// The win probability of each team before the round (F1).
    pub win_probability: PairAnswer<Probability>,
    /// Where it does not count, why.
    pub void: Option<VoidAnswer>,
}

/// Why a round does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidAnswer {
    /// The admin's words.
    pub reason: Option<String>,
    /// Since when.
    pub at: Timestamp,
}

/// Why a round ended otherwise than was reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CorrectionAnswer {
    /// How it ended as reported.
    pub reported: Winner,
    /// The admin's words.
    pub reason: Option<String>,
    /// Since when.
    pub at: Timestamp,
}

/// `GET /v1/admin/rounds/{server}/{round_id}`: the round with everybody in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WholeRoundAnswer {
    /// As in a list.
    #[serde(flatten)]
    pub round: RoundAnswer,
    /// Θ, the logistic scale of the prediction that it was rated by, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Team a, as sent.
    pub team_a: Vec<PlayerEntry>,
    /// Team b, as sent.
    pub team_b: Vec<PlayerEntry>,
    /// `void`, `unvoid` or `correct` while the ratings are computed with which that takes effect.
    pub under_way: Option<RoundActionName>,
    /// How far that is; `null` while nothing is under way, and before it is known.
    pub progress: Option<ProgressAnswer>,
    /// What it made of its participants; of a round that does not count, nothing.
    pub players: Vec<RoundPlayerAnswer>,
    /// What those are called who stood on a team without being rated.
    #[serde(default)]
    pub unrated: Vec<NamedPlayerAnswer>,
}

/// What a round made of one participant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundPlayerAnswer {
    /// As it was answered when the round was counted.
    #[serde(flatten)]
    pub player: RatedPlayerAnswer,
    /// What people read in place of the id; `null` where no name is known.
    #[serde(default)]
    pub name: Option<PlayerDisplayName>,
    /// The win probability of the player's team.
    pub win_probability: Probability,
}

/// A round of a list, and what stands out in what it made of its participants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ListedRoundAnswer {
    /// The round.
    #[serde(flatten)]
    pub round: RoundAnswer,
    /// How many participants it had.
    pub players: u32,
    /// Who gained the most, where anybody did.
    pub largest_gain: Option<RatingDeltaAnswer>,
    /// Who lost the most, where anybody did.
    pub largest_loss: Option<RatingDeltaAnswer>,
}

/// A player, and what the player is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedPlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    pub name: Option<PlayerDisplayName>,
}

/// By how much a player's rating moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingDeltaAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    #[serde(default)]
    pub name: Option<PlayerDisplayName>,
    /// The difference, in points.
    pub delta: i32,
}

/// `GET /v1/admin/rounds`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundsAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// The rounds, those that ended last first.
    pub rounds: Vec<ListedRoundAnswer>,
    /// What to send as `after` for the next page; `null` at the end.
    pub next: Option<String>,
}

/// The answer where a pool is being computed again for longer than a request may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolUnderWayAnswer {
    /// The pool.
    pub pool: PoolName,
    /// Further pools whose ratings this request recomputes. `GET /v1/admin/rebuild` has the progress of each.
    #[serde(default)]
    pub others: Vec<PoolName>,
    /// What goes on.
    pub detail: String,
    /// How far it is; `null` before that is known, and where it has just ended.
    pub progress: Option<ProgressAnswer>,
    /// The path that shows when it is done.
    pub location: String,
}

/// The answer where a round is being voided, restored or corrected for longer than a request may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UnderWayAnswer {
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// What goes on.
    pub detail: &'static str,
    /// How far it is; `null` before that is known, and where it has just ended.
    pub progress: Option<ProgressAnswer>,
    /// The path that shows when it is done.
    pub location: String,
}
