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

/// Request of `POST /v1/update`: a round to count, and optionally a request for new teams (`scramble`).
// The fields of the round are repeated here because serde cannot combine a flattened
// struct with the refusal of unknown fields.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRequest {
    /// Id of the round, unique within its server. Repeated requests with the same id count the round once.
    round_id: RoundId,
    /// Name of the server that played the round.
    server: ServerName,
    /// Name of the map of the round.
    map: Option<MapName>,
    /// Mode of the round, such as `ctf`.
    mode: Option<ModeName>,
    /// Mutators of the round: changes to the rules of the game. Order and repeats do not matter.
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
    /// Winner of the round: team a, team b, or a draw.
    winner: Winner,
    /// Numbers of bots on each team that played the whole round, by level of skill.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    bots: TeamBots,
    /// Players of team a. At least one player must have been on the team at the start of the round.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_a: Vec<PlayerEntry>,
    /// Players of team b. At least one player must have been on the team at the start of the round.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_b: Vec<PlayerEntry>,
    /// Request for splits into new teams in the answer, by the ratings after the round.
    #[schema(value_type = Option<SplitsOfRound>)]
    scramble: Option<Object<ScrambleRequest>>,
    /// Names of the notices that the server has read, up to 64. They are not sent again.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<NoticeName>>, max_items = 64)]
    notices_seen: Vec<NoticeName>,
}

/// A validated request of `POST /v1/update`.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedUpdate {
    /// Round that the request asks to count.
    pub round: Report,
    /// Names of players, sent with the players of the round and of `scramble`.
    pub names: Vec<SentName>,
    /// Request for splits into new teams, if sent; its server and pool are those of the round.
    pub scramble: Option<ScrambleRequest>,
    /// Names of the notices that the server has read.
    pub notices_seen: Vec<NoticeName>,
}

impl UpdateRequest {
    /// Validates the request: the round, `scramble` and `notices_seen`.
    pub(crate) fn checked(self) -> Result<CheckedUpdate, Vec<FieldProblem>> {
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

/// Validates `scramble`, the request for splits with a round. Server and pool must be left out, because the round has
/// them.
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
                "is not allowed here, because the splits use the round's {name}; leave it out"
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
    /// Level of detail of the answer for each counted round: `full` or `brief`. Default: `full`.
    pub(crate) answers: Option<AnswerLength>,
}

/// Level of detail of the answer for each counted round of `POST /v1/updates`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerLength {
    /// Full answer for a round, as from `POST /v1/update`.
    #[default]
    Full,
    /// Brief answer for a round, without ratings.
    Brief,
}

impl UpdatesRequest {
    /// Maximum number of rounds in one request of `POST /v1/updates`.
    pub const MAX: usize = 64;

    /// Parses each round as `POST /v1/update` does, in the order sent.
    pub(crate) fn checked(
        self,
    ) -> Result<impl Iterator<Item = Result<UpdateRequest, InvalidJson>>, Vec<FieldProblem>> {
        let count = self.rounds.len();
        if count > Self::MAX {
            let most = Self::MAX;
            let detail =
                format!("has {count} rounds; send at most {most} per request, oldest first");
            return Err(vec![FieldProblem::new("/rounds", detail)]);
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
    /// JSON body that `POST /v1/update` would have answered for this round.
    pub body: OneBody,
}

/// JSON body of the answer for one round of `POST /v1/updates`: the changed ratings, or an error.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum OneBody {
    /// Full answer for a round that counts.
    Counted(Box<UpdateAnswer>),
    /// Brief answer for a round that counts.
    Brief(BriefUpdateAnswer),
    /// Error for a round that was refused.
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

/// A pair of values: one for team a and one for team b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairAnswer<T> {
    /// Team a's value, such as its win probability or number of bots.
    pub a: T,
    /// Team b's value, such as its win probability or number of bots.
    pub b: T,
}

impl PairAnswer<Probability> {
    /// Returns the win probabilities of both teams, given the one of team a.
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

/// Change of one rated player's rating by a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatedPlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Team that the player was rated on.
    pub team: Side,
    /// Rating of the player before the round, in points.
    pub before: Rating,
    /// Rating of the player after the round, in points.
    pub rating: Rating,
    /// Change of the player's rating by the round, in points.
    pub delta: i32,
    /// K-factor that the player was rated with, in points.
    pub k: f64,
    /// Number of the player's rated rounds since the last reset, including this round.
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
