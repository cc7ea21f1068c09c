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

/// Query of `GET /v1/admin/rounds`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RoundsQuery {
    /// Name of the pool whose rounds are listed. Default: the pool of `server`, or else `default`.
    pub pool: Option<PoolName>,
    /// Filter: rounds of this server.
    pub server: Option<ServerName>,
    /// Filter: rounds on this map.
    pub map: Option<MapName>,
    /// Filter: rounds with this player on a team.
    #[param(value_type = Option<AnyPlayerId>)]
    pub player: Option<PlayerId>,
    /// Filter: rounds that ended at this time or later.
    pub from: Option<Moment>,
    /// Filter: rounds that ended before this time.
    pub to: Option<Moment>,
    /// Filter: rounds sent with the secret that has this fingerprint.
    pub secret: Option<Fingerprint>,
    /// Filter: rounds that arrived at this time or later, independent of their end.
    pub received_from: Option<Moment>,
    /// Filter: rounds that arrived before this time.
    pub received_to: Option<Moment>,
    /// Maximum number of rounds per page. Default: 50.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// Cursor at which the page of rounds starts: `next` of the previous page.
    #[param(value_type = Option<TimePlace>, inline)]
    pub after: Option<Cursor<TimePlace>>,
}

/// Request of `POST /v1/admin/rounds/{server}/{round_id}/void` and `POST /v1/rounds/{server}/{round_id}/void`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRequest {
    /// Reason for voiding the round, which then does not count any more.
    pub reason: ReasonText,
    /// Id of the void, chosen by the client. Repeated requests with the same id void once.
    pub change_id: Option<ChangeId>,
}

/// Request of `POST /v1/admin/rounds/{server}/{round_id}/correct`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectRequest {
    /// The correct winner of the round.
    pub winner: Winner,
    /// Reason that the admin gives for correcting the winner of the round.
    pub reason: ReasonText,
    /// Id of the correction, chosen by the client. Repeated requests with the same id correct once.
    pub change_id: Option<ChangeId>,
}

/// Request of `POST /v1/admin/rounds/void`: voids every round that meets all given conditions. Requires `secret`,
/// `server` or `pool`, and requires `since` or `received_since`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoidRoundsRequest {
    /// Condition: void rounds that were sent with the secret that has this fingerprint. Without `server` and `pool`,
    /// player names that were sent with the secret are deleted too.
    pub secret: Option<Fingerprint>,
    /// Condition: void rounds of this server.
    pub server: Option<ServerName>,
    /// Condition: void rounds of this pool. Default: rounds of every pool.
    pub pool: Option<PoolName>,
    /// Condition: void rounds that ended at this time or later, by the clock of the game server.
    #[schema(value_type = Option<AnyTime>)]
    pub since: Option<Timestamp>,
    /// Condition: void rounds that ended before this time. Default: no upper bound.
    #[schema(value_type = Option<AnyTime>)]
    pub until: Option<Timestamp>,
    /// Condition: void rounds that arrived at this time or later, by the clock of this service.
    #[schema(value_type = Option<AnyTime>)]
    pub received_since: Option<Timestamp>,
    /// Condition: void rounds that arrived before this time, by the clock of this service. Default: no upper bound.
    #[schema(value_type = Option<AnyTime>)]
    pub received_until: Option<Timestamp>,
    /// `true` voids only copies: rounds that repeat another round of their server under a different id, within 15
    /// seconds. The first round stays. Default: `false`.
    #[serde(default)]
    pub copies: bool,
    /// Reason that the admin gives for voiding the rounds.
    pub reason: ReasonText,
    /// Id of the void, chosen by the client. Repeated requests with the same id void once.
    pub change_id: Option<ChangeId>,
    /// `true` only previews the effect of the void and changes nothing. Default: `false`.
    #[serde(default)]
    pub dry_run: bool,
}

/// Answer of `POST /v1/admin/rounds/void`: the effect of the void, made or previewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidRoundsAnswer {
    /// Number of rounds that this request voids. Rounds that were void before are excluded.
    pub rounds: u64,
    /// Number of deleted names of players. The next request of a game server sets a player's name again.
    pub names: u64,
    /// `true` if the request was a dry run and changed nothing.
    pub dry_run: bool,
    /// Effect of the void on each pool with voided rounds.
    pub pools: Vec<VoidedPoolAnswer>,
}

/// Effect of voiding several rounds on one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidedPoolAnswer {
    /// Name of the pool that the voided rounds counted in.
    pub pool: PoolName,
    /// Number of rounds of the pool that stop counting by the void.
    pub rounds: u64,
    /// Ratings that the void would move, for a dry run; `null` if the computation would exceed the
    /// request timeout, or if the void was made.
    pub moved: Option<MovedRatingsAnswer>,
}

/// Effect of a previewed change on the ratings of a pool: number of players, sum of points, and largest changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedRatingsAnswer {
    /// Number of players whose rating the previewed change would move.
    pub players: u64,
    /// Sum over all players of the absolute rating change that the previewed change would make, in points.
    pub points: u64,
    /// Up to ten of the largest rating changes that the previewed change would make. Players with a shown rating come
    /// first, then the largest change.
    pub largest: Vec<MovedRatingAnswer>,
}

/// Rating of a player that a previewed change would move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedRatingAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// `true` if people must not see the player's id; show `name` in place of the id.
    pub id_hidden: bool,
    /// Current rating of the player, before the previewed change, in points.
    pub before: Rating,
    /// Rating that the player would have after the previewed change, in points.
    pub after: Rating,
}

/// A round as its game server reported it, with prediction, correction and void.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundAnswer {
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Name of the server that played the round.
    pub server: ServerName,
    /// Name of the pool that the round counts in.
    pub pool: PoolName,
    /// Name of the map; `null` if not reported.
    pub map: Option<MapName>,
    /// Mode of the round; `null` if not reported.
    pub mode: Option<ModeName>,
    /// Mutators of the round, sorted and distinct.
    #[serde(default)]
    #[schema(value_type = Vec<MutatorName>)]
    pub mutators: Mutators,
    /// Number of bots on each team, by level of skill.
    #[serde(default)]
    pub bots: PairAnswer<BotCounts>,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Time at which the service received the round.
    pub received_at: Timestamp,
    /// Fingerprint of the secret that the round was sent with; `null` for a round imported from a file.
    pub secret: Option<Fingerprint>,
    /// Winner of the round, after any correction.
    pub winner: Winner,
    /// Reported winner of the round, and reason of the correction; `null` if no admin corrected the winner.
    pub correction: Option<CorrectionAnswer>,
    /// Win probability of each team before the round (F1).
    pub win_probability: PairAnswer<Probability>,
    /// The reason why the round does not count; `null` if the round counts.
    pub void: Option<VoidAnswer>,
}

/// The reason why a round does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoidAnswer {
    /// Reason that was given for voiding the round; `null` if none was given.
    pub reason: Option<String>,
    /// Time at which the round was voided.
    pub at: Timestamp,
}

/// The correction of a round's winner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CorrectionAnswer {
    /// Winner that the game server reported, before the correction.
    pub reported: Winner,
    /// Reason that was given for correcting the round's winner; `null` if none was given.
    pub reason: Option<String>,
    /// Time at which an admin corrected the winner of the round.
    pub at: Timestamp,
}

/// Answer of `GET /v1/admin/rounds/{server}/{round_id}`: a round with all players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WholeRoundAnswer {
    /// The round as its game server reported it, with prediction, correction and void.
    #[serde(flatten)]
    pub round: RoundAnswer,
    /// Θ, the logistic scale of the prediction, in points. Whole values are written without a fraction.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Players of team a, with the times that they played, as reported.
    pub team_a: Vec<PlayerEntry>,
    /// Players of team b, with the times that they played, as reported.
    pub team_b: Vec<PlayerEntry>,
    /// Change of this round that a running recomputation of ratings makes: `void`, `unvoid` or `correct`; `null` if
    /// none runs.
    pub in_progress: Option<RoundActionName>,
    /// Progress of the recomputation of ratings that changes the round; `null` if none runs, or if unknown.
    pub progress: Option<ProgressAnswer>,
    /// Change of each rated player's rating by the round; empty if the round does not count.
    pub players: Vec<RoundPlayerAnswer>,
    /// Ids and names of the players who were on a team of the round but were not rated.
    #[serde(default)]
    pub unrated: Vec<NamedPlayerAnswer>,
}

/// Change of one rated player's rating by a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundPlayerAnswer {
    /// The player's rating before and after the round, as answered when the round was counted.
    #[serde(flatten)]
    pub player: RatedPlayerAnswer,
    /// Player's name to show in place of the player's id; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Predicted win probability of the player's team before the round.
    pub win_probability: Probability,
}

/// A round in a list, with the largest rating changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ListedRoundAnswer {
    /// The round as its game server reported it, with prediction, correction and void.
    #[serde(flatten)]
    pub round: RoundAnswer,
    /// Number of rated players of the round.
    pub players: u32,
    /// Largest rating gain of a player in the round; `null` if nobody gained points.
    pub largest_gain: Option<RatingDeltaAnswer>,
    /// Largest rating loss of a player in the round; `null` if nobody lost points.
    pub largest_loss: Option<RatingDeltaAnswer>,
}

/// A player's id and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedPlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Player's name to show in place of the player's id; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
}

/// Change of one player's rating by a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingDeltaAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Player's name to show in place of the player's id; `null` if no name is known.
    pub name: Option<PlayerDisplayName>,
    /// Change of the player's rating by the round, in points.
    pub delta: i32,
}

/// Answer of `GET /v1/admin/rounds`: a page of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RoundsAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Rounds of the page, ordered by end, the latest first.
    pub rounds: Vec<ListedRoundAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<String>,
}

/// Answer with status 202 if recomputing the ratings of a pool exceeds the request timeout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolInProgressAnswer {
    /// Name of the pool whose ratings are being recomputed.
    pub pool: PoolName,
    /// Further pools whose ratings this request recomputes. `GET /v1/admin/rebuild` has the progress of each.
    #[serde(default)]
    pub others: Vec<PoolName>,
    /// Sentence that says that the ratings are being recomputed, and how to wait.
    pub detail: String,
    /// Progress of the recomputation of ratings; `null` if unknown, or if the recomputation has just ended.
    pub progress: Option<ProgressAnswer>,
    /// Path of the API to poll until the ratings are recomputed.
    pub location: String,
}

/// Answer with status 202 if voiding, restoring or correcting a round exceeds the request timeout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct InProgressAnswer {
    /// Name of the server of the round.
    pub server: ServerName,
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Sentence that says that the ratings are being recomputed, and how to wait.
    pub detail: &'static str,
    /// Progress of the recomputation of ratings; `null` if unknown, or if the recomputation has just ended.
    pub progress: Option<ProgressAnswer>,
    /// Path of the API to poll until the ratings are recomputed.
    pub location: String,
}
