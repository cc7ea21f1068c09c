use serde::Deserialize;
use utoipa::ToSchema;

use super::schema::{AnyPlayerEntry, AnyTime, SplitsOfRound};
use super::{Object, ScrambleRequest};
use crate::domain::{
    FieldProblem, MapName, PlayerEntry, PoolName, Round, RoundId, RoundParts, ServerName,
    Timestamp, Winner,
};

/// `POST /v1/update`: a round, and what its answer should carry beside the ratings.
// The fields of the round stand here once more because serde takes no struct apart into the fields
// of another and refuses unknown ones too.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateRequest {
    /// The client's name for the round.
    round_id: RoundId,
    /// The server that it was played on.
    server: ServerName,
    /// The map.
    #[serde(default)]
    map: Option<MapName>,
    /// When it ended; when it arrives, where nothing is said.
    #[serde(default)]
    #[schema(value_type = Option<AnyTime>)]
    ended_at: Option<Timestamp>,
    /// The pool that it counts in; the server's, where nothing is said.
    #[serde(default)]
    pool: Option<PoolName>,
    /// How long it took.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 86400)]
    round_seconds: Option<u32>,
    /// How it ended.
    winner: Winner,
    /// Team a; at least one stood there at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_a: Vec<PlayerEntry>,
    /// Team b; at least one stood there at the start.
    #[schema(value_type = Vec<AnyPlayerEntry>, min_items = 1, max_items = 64)]
    team_b: Vec<PlayerEntry>,
    /// What splits the answer should carry.
    #[serde(default)]
    #[schema(value_type = Option<SplitsOfRound>)]
    scramble: Option<Object<ScrambleRequest>>,
}

impl UpdateRequest {
    /// The round, and the splits that are asked for with it.
    ///
    /// # Errors
    /// Everything that is not acceptable in either of them.
    pub fn checked(self) -> Result<(Round, Option<ScrambleRequest>), Vec<FieldProblem>> {
        let round = Round::try_from(RoundParts {
            round_id: self.round_id,
            server: self.server,
            map: self.map,
            ended_at: self.ended_at,
            pool: self.pool,
            round_seconds: self.round_seconds,
            winner: self.winner,
            team_a: self.team_a,
            team_b: self.team_b,
        });
        let scramble = self
            .scramble
            .map(|Object(scramble)| check_scramble(scramble));
        match (round, scramble.transpose()) {
            (Ok(round), Ok(scramble)) => Ok((round, scramble)),
            (round, scramble) => {
                let of_round = round.err().into_iter().flatten();
                Err(of_round
                    .chain(scramble.err().into_iter().flatten())
                    .collect())
            }
        }
    }
}

/// The splits asked for, if they make sense where the round says whose they are.
fn check_scramble(scramble: ScrambleRequest) -> Result<ScrambleRequest, Vec<FieldProblem>> {
    let repeated_server = scramble.server.as_ref().map(|_| {
        FieldProblem::new(
            "/server",
            "has no place here, since the splits are for the round's server; leave it out",
        )
    });
    let checked = match (scramble.checked(), repeated_server) {
        (Ok(scramble), None) => return Ok(scramble),
        (checked, repeated) => checked.err().into_iter().flatten().chain(repeated),
    };
    Err(checked
        .map(|problem| FieldProblem {
            field: format!("/scramble{}", problem.field),
            ..problem
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::read;

    const ROUND: &str =
        r#""round_id":"1","server":"s","winner":"a","team_a":["[U:1:1]"],"team_b":["[U:1:2]"]"#;

    fn fields(text: &str) -> Vec<String> {
        let request: UpdateRequest = read(text.as_bytes()).unwrap();
        let problems = request.checked().unwrap_err().into_iter();
        problems.map(|problem| problem.field).collect()
    }

    #[test]
    fn a_round_alone_is_what_a_file_has_too() {
        let read_here: UpdateRequest = read(format!("{{{ROUND}}}").as_bytes()).unwrap();
        let (round, scramble) = read_here.checked().unwrap();
        let parts: RoundParts = read(format!("{{{ROUND}}}").as_bytes()).unwrap();
        assert_eq!((round.parts(), scramble), (&parts, None));
    }

    #[test]
    fn everything_wrong_is_named_in_its_place() {
        let twice = ROUND.replace("[\"[U:1:2]\"]", "[\"[U:1:2]\",\"[U:1:2]\"]");
        let scramble = r#""scramble":{"server":"s","players":["[U:1:1]","[U:1:1]"]}"#;
        assert_eq!(
            fields(&format!("{{{twice},{scramble}}}")),
            ["/team_b/1", "/scramble/players/1", "/scramble/server"]
        );
        assert_eq!(
            fields(&format!("{{{ROUND},{scramble}}}")),
            ["/scramble/players/1", "/scramble/server"]
        );
    }

    #[test]
    fn the_splits_asked_for_are_an_object_of_known_fields() {
        for (scramble, field) in [
            ("[]", "/scramble"),
            ("{}", "/scramble/players"),
            (r#"{"players":[],"player":[]}"#, "/scramble/player"),
            (r#"{"players":["x"]}"#, "/scramble/players/0"),
        ] {
            let text = format!("{{{ROUND},\"scramble\":{scramble}}}");
            let error = read::<UpdateRequest>(text.as_bytes()).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("{field} ")),
                "{error}"
            );
        }
    }
}
