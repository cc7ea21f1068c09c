use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::check::Problems;
use super::json::object::{default_where_null, object_or_default};
use super::quality::whole_where_possible;
use super::schema::{AnyPlayerEntry, AnyRound, AnyTime, SplitsOfRound};
use super::servers::check_seen;
use super::{
    InvalidJson, NoticeAnswer, Object, ProblemAnswer, ScrambleRequest, SplitsAnswer, read,
};
use crate::domain::{
    FieldProblem, MapName, ModeName, MutatorName, Mutators, NoticeName, PlayerEntry, PlayerId,
    PoolName, Probability, Rating, Report, RoundId, RoundParts, SentName, ServerName, Side,
    TeamBots, Timestamp, Winner,
};

/// Request of `POST /v1/update`: a round, and requests for additional parts of the answer.
// The fields of the round are repeated here because serde cannot combine a flattened
// struct with the refusal of unknown fields.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRequest {
    /// Id of the round, unique within its server. Repeated requests with the same id count the round once.
    round_id: RoundId,
    /// Name of the server that played the round.
    server: ServerName,
    /// Name of the map.
    map: Option<MapName>,
    /// Mode of the round, such as `ctf`.
    mode: Option<ModeName>,
    /// Mutators: changes to the rules of the game. A set; order and repeats do not matter.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    mutators: Mutators,
    /// Time at which the round ended, from the year 2000 to 10 minutes ahead of the
    /// service's clock. Default: time of arrival.
    #[schema(value_type = Option<AnyTime>)]
    ended_at: Option<Timestamp>,
    /// Name of the pool that the round counts in. Default: the pool of `server`.
    pool: Option<PoolName>,
    /// Duration of the round, in seconds.
    #[schema(minimum = 1, maximum = 86400)]
    round_seconds: Option<u32>,
    /// Winner of the round.
    winner: Winner,
    /// Bots that played from start to end, by the pool's levels of skill.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    bots: TeamBots,
    /// Entries of team a. At least one player must have been on the team at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_a: Vec<PlayerEntry>,
    /// Entries of team b. At least one player must have been on the team at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_b: Vec<PlayerEntry>,
    /// Request for splits in the answer, by the ratings after the round.
    #[schema(value_type = Option<SplitsOfRound>)]
    scramble: Option<Object<ScrambleRequest>>,
    /// Names of the notices that the server has read, up to 64. They are not sent again.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<NoticeName>>, max_items = 64)]
    notices_seen: Vec<NoticeName>,
}

/// A valid update request.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedUpdate {
    /// The round to count.
    pub round: Report,
    /// Names sent with the players of the round and of `scramble`.
    pub names: Vec<SentName>,
    /// Request for splits, without server and pool.
    pub scramble: Option<ScrambleRequest>,
    /// Names of the notices that the server has read.
    pub notices_seen: Vec<NoticeName>,
}

impl UpdateRequest {
    /// Validates the request as a whole.
    ///
    /// # Errors
    /// Returns every problem with the round, the request for splits, and the notices.
    pub fn checked(self) -> Result<CheckedUpdate, Vec<FieldProblem>> {
        let mut parts = RoundParts {
            round_id: self.round_id,
            server: self.server,
            map: self.map,
            mode: self.mode,
            mutators: self.mutators,
            ended_at: self.ended_at,
            pool: self.pool,
            round_seconds: self.round_seconds,
            winner: self.winner,
            bots: self.bots,
            team_a: self.team_a,
            team_b: self.team_b,
        };
        let mut names = parts.take_names();
        let round = Report::try_from(parts);
        let scramble = self
            .scramble
            .map(|Object(scramble)| check_scramble(scramble));
        let mut problems = Problems::default();
        check_seen(&self.notices_seen, &mut problems);
        match (
            round,
            scramble.transpose(),
            problems.none_or(self.notices_seen),
        ) {
            (Ok(round), Ok(scramble), Ok(notices_seen)) => {
                names.extend(scramble.iter().flat_map(ScrambleRequest::names));
                Ok(CheckedUpdate {
                    round,
                    names,
                    scramble,
                    notices_seen,
                })
            }
            (round, scramble, seen) => {
                let of_round = round.err().into_iter().flatten();
                let of_scramble = scramble.err().into_iter().flatten();
                let of_notices = seen.err().into_iter().flatten();
                Err(of_round.chain(of_scramble).chain(of_notices).collect())
            }
        }
    }
}

/// Validates a request for splits within an update, where server and pool come from the round.
fn check_scramble(scramble: ScrambleRequest) -> Result<ScrambleRequest, Vec<FieldProblem>> {
    let named = [
        ("server", scramble.server.is_some()),
        ("pool", scramble.pool.is_some()),
    ];
    let repeated: Vec<FieldProblem> = named
        .into_iter()
        .filter(|(_, is_named)| *is_named)
        .map(|(name, _)| {
            let detail = format!(
                "is not allowed here, because the splits are for the round's {name}; leave it out"
            );
            FieldProblem::new(format!("/{name}"), detail)
        })
        .collect();
    let checked = match scramble.checked() {
        Ok(scramble) if repeated.is_empty() => return Ok(scramble),
        checked => checked.err().into_iter().flatten().chain(repeated),
    };
    Err(checked
        .map(|problem| FieldProblem {
            field: format!("/scramble{}", problem.field),
            ..problem
        })
        .collect())
}

/// Request of `POST /v1/updates`: rounds to count in order.
///
/// Each round is validated on its own, so an invalid round does not affect the others.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdatesRequest {
    /// Rounds to count, the oldest first.
    #[schema(value_type = Vec<AnyRound>, max_items = 64)]
    rounds: Vec<Box<RawValue>>,
    /// Length of the answer for each counted round. Default: `full`.
    answers: Option<AnswerLength>,
}

/// Length of the answer for each counted round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerLength {
    /// The whole answer of `POST /v1/update`.
    #[default]
    Full,
    /// The answer without ratings.
    Brief,
}

impl UpdatesRequest {
    /// Maximum number of rounds of one request.
    pub const MAX: usize = 64;

    /// Returns how detailed the answer to each counted round is.
    #[must_use]
    pub fn answers(&self) -> AnswerLength {
        self.answers.unwrap_or_default()
    }

    /// Parses each round as `POST /v1/update` does, in the order sent.
    ///
    /// # Errors
    /// Returns an error if there are more than [`Self::MAX`] rounds.
    pub fn checked(
        self,
    ) -> Result<impl Iterator<Item = Result<UpdateRequest, InvalidJson>>, Vec<FieldProblem>> {
        let count = self.rounds.len();
        if count > Self::MAX {
            return Err(vec![FieldProblem::new(
                "/rounds",
                format!(
                    "has {count} rounds; send at most {} per request, oldest first",
                    Self::MAX
                ),
            )]);
        }
        let rounds = self.rounds.into_iter();
        Ok(rounds.map(|round| read(round.get().as_bytes())))
    }
}

/// Answer of `POST /v1/updates`: one answer per round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UpdatesAnswer {
    /// Answers for the rounds, in the order sent.
    pub answers: Vec<OneAnswer>,
}

/// The answer that `POST /v1/update` would have given for one round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OneAnswer {
    /// HTTP status of the answer for this round.
    pub status: u16,
    /// Number of seconds to wait before sending the round again; `null` if the round must not be sent again.
    pub retry_after: Option<u32>,
    /// Body of the answer for this round.
    pub body: OneBody,
}

/// Body of the answer for one round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum OneBody {
    /// The round counts; full answer.
    Counted(Box<UpdateAnswer>),
    /// The round counts; brief answer.
    Brief(BriefUpdateAnswer),
    /// The round was refused.
    Refused(ProblemAnswer),
}

/// Answer for a counted round if `answers` is `brief`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BriefUpdateAnswer {
    /// `true` if the round had been counted by an earlier request.
    pub duplicate: bool,
    /// Splits requested with the round, by the ratings after the round; `null` if none were requested, or on an error.
    pub splits: Option<SplitsAnswer>,
    /// Reason why the requested splits are missing, although the round counts; `null` without an error.
    pub splits_error: Option<ProblemAnswer>,
    /// Notices for the server. Only the last of a server's rounds in the request carries them.
    pub notices: Vec<NoticeAnswer>,
}

impl From<UpdateAnswer> for BriefUpdateAnswer {
    fn from(answer: UpdateAnswer) -> Self {
        Self {
            duplicate: answer.duplicate,
            splits: answer.splits,
            splits_error: answer.splits_error,
            notices: answer.notices,
        }
    }
}

/// A pair of values, one for each team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairAnswer<T> {
    /// Value of team a.
    pub a: T,
    /// Value of team b.
    pub b: T,
}

impl PairAnswer<Probability> {
    /// Returns the odds of both teams, given the win probability of team a.
    pub(crate) fn odds(for_a: Probability) -> Self {
        Self {
            a: for_a,
            b: for_a.complement(),
        }
    }
}

/// Answer of `POST /v1/update`: a counted round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UpdateAnswer {
    /// Id of the round from the request.
    pub round_id: RoundId,
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool that the round counts in.
    pub pool: PoolName,
    /// `true` if the round had been counted by an earlier request. The ratings are then those of the first answer.
    pub duplicate: bool,
    /// Win probability of each team before the round (F1).
    pub win_probability: PairAnswer<Probability>,
    /// Θ, the logistic scale of the prediction, in points. Whole values are written without a fraction.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Rated players: first of team a, then of team b, each in the order sent.
    pub players: Vec<RatedPlayerAnswer>,
    /// Splits requested with the round, by the ratings after the round; `null` if none were requested, or on an error.
    pub splits: Option<SplitsAnswer>,
    /// Reason why the requested splits are missing, although the round counts; `null` without an error.
    pub splits_error: Option<ProblemAnswer>,
    /// Notices for the server. In `POST /v1/updates`, only the last of a server's rounds carries them.
    pub notices: Vec<NoticeAnswer>,
}

/// Result of a round for one rated player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatedPlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Team that the player was rated on.
    pub team: Side,
    /// Rating before the round, in points.
    pub before: Rating,
    /// Rating after the round, in points.
    pub rating: Rating,
    /// Change of the rating by the round, in points.
    pub delta: i32,
    /// K-factor that the player was rated with.
    pub k: f64,
    /// Number of rated rounds since the last reset, including this round.
    pub rounds: u32,
    /// `true` if the rating is shown, which is after the player's first `shadow_rounds` rated rounds.
    pub visible: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_alone_is_what_a_file_has_too() {
        let text =
            br#"{"round_id":"1","server":"s","winner":"a","team_a":["[U:1:1]"],"team_b":["[U:1:2]"]}"#;
        let checked = read::<UpdateRequest>(text).unwrap().checked().unwrap();
        let parts: RoundParts = read(text).unwrap();
        assert_eq!((checked.round.parts(), checked.scramble), (&parts, None));
        assert!(checked.notices_seen.is_empty());
    }
}
