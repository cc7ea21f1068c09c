use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::schema::AnyRound;
use super::{InvalidJson, ProblemAnswer, UpdateAnswer, UpdateRequest, read};
use crate::domain::FieldProblem;

/// `POST /v1/updates`: rounds to count one after another.
///
/// Each is read on its own, so that what is wrong with one is no matter of the others.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdatesRequest {
    /// The rounds, the oldest first.
    #[schema(value_type = Vec<AnyRound>, max_items = 64)]
    rounds: Vec<Box<RawValue>>,
}

impl UpdatesRequest {
    /// The most rounds of one request.
    pub const MOST: usize = 64;

    /// Each round as `POST /v1/update` reads it, in the order sent.
    ///
    /// # Errors
    /// More rounds than [`Self::MOST`].
    pub fn checked(
        self,
    ) -> Result<impl Iterator<Item = Result<UpdateRequest, InvalidJson>>, Vec<FieldProblem>> {
        let count = self.rounds.len();
        if count > Self::MOST {
            return Err(vec![FieldProblem::new(
                "/rounds",
                format!(
                    "has {count} rounds; send at most {} at once, the oldest first",
                    Self::MOST
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
    /// It does not, and why.
    Refused(ProblemAnswer),
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: &str =
        r#"{"round_id":"1","server":"s","winner":"a","team_a":["[U:1:1]"],"team_b":["[U:1:2]"]}"#;

    #[test]
    fn each_round_is_read_as_it_would_be_alone() {
        let alone = [ROUND, "{}", "[]", "5", "\"x\"", r#"{"winner":"c"}"#, "null"];
        let text = format!("{{\"rounds\":[{}]}}", alone.join(" ,\n"));
        let request: UpdatesRequest = read(text.as_bytes()).unwrap();
        let together: Vec<_> = request.checked().unwrap().collect();
        let wanted: Vec<_> = alone
            .iter()
            .map(|one| read::<UpdateRequest>(one.as_bytes()))
            .collect();
        assert_eq!(together, wanted);
        assert!(wanted[0].is_ok() && wanted[1..].iter().all(Result::is_err));
    }

    #[test]
    fn what_surrounds_the_rounds_is_checked_too() {
        for (text, begins) in [
            ("{}", "/rounds is missing"),
            (r#"{"rounds":{}}"#, "/rounds is map"),
            (r#"{"rounds":null}"#, "/rounds is null"),
            (r#"{"rounds":[],"round":1}"#, "/round is not a field here"),
            ("[]", "the JSON is not an object"),
        ] {
            let error = read::<UpdatesRequest>(text.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with(begins), "{text}: {error}");
        }
    }

    #[test]
    fn sixty_four_rounds_are_the_most() {
        for (count, taken) in [(0, true), (64, true), (65, false)] {
            let text = format!("{{\"rounds\":[{}]}}", vec!["1"; count].join(","));
            let request: UpdatesRequest = read(text.as_bytes()).unwrap();
            let checked = request.checked().map(Iterator::count);
            assert_eq!(checked.as_ref().ok().copied(), taken.then_some(count));
            if let Err(problems) = checked {
                assert_eq!(problems[0].field, "/rounds");
            }
        }
    }
}
