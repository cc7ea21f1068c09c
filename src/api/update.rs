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

/// `POST /v1/update`: a round, and what its answer should carry along with the ratings.
// The fields of the round stand here once more because serde takes no struct apart into the fields
// of another and refuses unknown ones too.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRequest {
    /// The client's name for the round.
    round_id: RoundId,
    /// The server that it was played on.
    server: ServerName,
    /// The map.
    map: Option<MapName>,
    /// The way of playing.
    mode: Option<ModeName>,
    /// What changed the rules of the game: a set, in which neither the order nor doubles matter.
    #[serde(default)]
    #[schema(value_type = Option<Vec<MutatorName>>, max_items = 16)]
    mutators: Mutators,
    /// When it ended; when it arrives, where it is left out. From the year 2000 on, and at most 10 minutes
    /// ahead of this service's clock.
    #[schema(value_type = Option<AnyTime>)]
    ended_at: Option<Timestamp>,
    /// The pool that it counts in; the server's, where it is left out.
    pool: Option<PoolName>,
    /// How long it took.
    #[schema(minimum = 1, maximum = 86400)]
    round_seconds: Option<u32>,
    /// How it ended.
    winner: Winner,
    /// The bots that played from the start to the end, by the levels of skill that the pool names.
    #[serde(default, deserialize_with = "object_or_default")]
    #[schema(value_type = Option<TeamBots>)]
    bots: TeamBots,
    /// Team a; at least one stood there at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_a: Vec<PlayerEntry>,
    /// Team b; at least one stood there at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_b: Vec<PlayerEntry>,
    /// What splits the answer should carry.
    #[schema(value_type = Option<SplitsOfRound>)]
    scramble: Option<Object<ScrambleRequest>>,
    /// The notices that have been read and need not be sent again, up to 64.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<NoticeName>>, max_items = 64)]
    notices_seen: Vec<NoticeName>,
}

/// A round that makes sense, and what its answer should carry along.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedUpdate {
    /// The round.
    pub round: Report,
    /// What its players, and those of the splits, were called.
    pub names: Vec<SentName>,
    /// The splits that are asked for with it.
    pub scramble: Option<ScrambleRequest>,
    /// The notices that need not be sent again.
    pub notices_seen: Vec<NoticeName>,
}

impl UpdateRequest {
    /// The round, and what is asked for with it.
    ///
    /// # Errors
    /// Everything that is not acceptable in any of it.
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

/// The splits asked for, if they make sense where the round names the server.
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
                "has no place here, since the splits are for the round's {name}; leave it out"
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

/// `POST /v1/updates`: rounds to count one after another.
///
/// Each is read on its own, so that what is wrong with one is no matter of the others.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdatesRequest {
    /// The rounds, the oldest first.
    #[schema(value_type = Vec<AnyRound>, max_items = 64)]
    rounds: Vec<Box<RawValue>>,
    /// How much is answered of each round that counts; all of it where it is left out.
    answers: Option<AnswerLength>,
}

/// How much is answered of each round that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerLength {
    /// What `POST /v1/update` answers.
    #[default]
    Full,
    /// Nothing of the ratings.
    Brief,
}

impl UpdatesRequest {
    /// The most rounds of one request.
    pub const MAX: usize = 64;

    /// How much is to be answered of each round that counts.
    #[must_use]
    pub fn answers(&self) -> AnswerLength {
        self.answers.unwrap_or_default()
    }

    /// Each round as `POST /v1/update` reads it, in the order sent.
    ///
    /// # Errors
    /// More rounds than [`Self::MAX`].
    pub fn checked(
        self,
    ) -> Result<impl Iterator<Item = Result<UpdateRequest, InvalidJson>>, Vec<FieldProblem>> {
        let count = self.rounds.len();
        if count > Self::MAX {
            return Err(vec![FieldProblem::new(
                "/rounds",
                format!(
                    "has {count} rounds; send at most {} at once, the oldest first",
                    Self::MAX
                ),
            )]);
        }
        let rounds = self.rounds.into_iter();
        Ok(rounds.map(|round| read(round.get().as_bytes())))
    }
}

/// `POST /v1/updates`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UpdatesAnswer {
    /// One for each round, in the order sent.
    pub answers: Vec<OneAnswer>,
}

/// What `POST /v1/update` would have answered for one round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OneAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The seconds to wait before the round is sent again, where that is what to do.
    pub retry_after: Option<u32>,
    /// The body.
    pub body: OneBody,
}

/// The body of the answer for one round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum OneBody {
    /// The round counts.
    Counted(Box<UpdateAnswer>),
    /// The round counts, and no more was to be said.
    Brief(BriefUpdateAnswer),
    /// It does not, and why.
    Refused(ProblemAnswer),
}

/// What is said of a round that counts where `answers` is `brief`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BriefUpdateAnswer {
    /// Whether it had been counted before.
    pub duplicate: bool,
    /// The splits that were asked for with the round, by the ratings after it.
    pub splits: Option<SplitsAnswer>,
    /// Why there are none although they were asked for; the round counts all the same.
    pub splits_error: Option<ProblemAnswer>,
    /// What the server should know; with the last of its rounds alone.
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

/// A figure for each team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairAnswer<T> {
    /// Team a's.
    pub a: T,
    /// Team b's.
    pub b: T,
}

impl PairAnswer<Probability> {
    /// The odds of both teams, where `for_a` is team a's win probability.
    pub(crate) fn odds(for_a: Probability) -> Self {
        Self {
            a: for_a,
            b: for_a.complement(),
        }
    }
}

/// `POST /v1/update`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UpdateAnswer {
    /// As sent.
    pub round_id: RoundId,
    /// As sent.
    pub server: ServerName,
    /// The pool that the round counts in.
    pub pool: PoolName,
    /// Whether it had been counted before; the rest is then what was answered first.
    pub duplicate: bool,
    /// The win probability of each team before the round (F1).
    pub win_probability: PairAnswer<Probability>,
    /// Θ, the logistic scale of the prediction, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// The participants: team a's, then team b's, each in the order sent.
    pub players: Vec<RatedPlayerAnswer>,
    /// The splits that were asked for with the round, by the ratings after it.
    pub splits: Option<SplitsAnswer>,
    /// Why there are none although they were asked for; the round counts all the same.
    pub splits_error: Option<ProblemAnswer>,
    /// What the server should know; of several rounds with the last of its own alone.
    pub notices: Vec<NoticeAnswer>,
}

/// What a round made of one participant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatedPlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// The team played for.
    pub team: Side,
    /// The rating before.
    pub before: Rating,
    /// The rating now.
    pub rating: Rating,
    /// The difference, in points.
    pub delta: i32,
    /// The K-factor.
    pub k: f64,
    /// Rated rounds, this one included.
    pub rounds: u32,
    /// Whether the rating is shown.
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
