pub(crate) mod bounded;
mod fields;
pub(crate) mod object;
pub(crate) mod path_segment;
mod syntax;

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::api::MAX_PROBLEMS;
use crate::domain::{FieldProblem, is_unseen};

/// Reason why a text is not the expected JSON.
///
/// The `Display` text is safe for logs and terminals: control and invisible characters of the input are escaped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidJson {
    /// Input that is not JSON, or not a JSON object, with a description of the problem.
    #[error("{}", visible(.0))]
    Malformed(String),
    /// JSON object in which at least one field is missing, unknown, repeated or invalid, with these fields.
    #[error("{}", listed(.0))]
    Fields(Vec<FieldProblem>),
}

impl InvalidJson {
    /// Returns an error about one wrong field, named by the JSON pointer `field`.
    pub(crate) fn field(field: &str, detail: &str) -> Self {
        Self::Fields(vec![FieldProblem::new(field, detail)])
    }
}

/// Formats wrong fields of a JSON object and their problems as one line for a terminal. Shows at most [`MAX_PROBLEMS`]
/// of the fields.
pub(crate) fn listed(problems: &[FieldProblem]) -> String {
    let shown = problems.iter().take(MAX_PROBLEMS);
    let mut sentences: Vec<String> = shown
        .map(|one| format!("{} {}", visible(&one.field), visible(&one.detail)))
        .collect();
    match problems.len().saturating_sub(MAX_PROBLEMS) {
        0 => {}
        more => sentences.push(format!("{more} more fields are invalid")),
    }
    sentences.join("; and ")
}

/// Escapes the control and invisible characters of `text`.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unseen(character) {
            visible.extend(character.escape_unicode());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// Parses `bytes` as one JSON object of the shape `T`.
///
/// # Errors
/// Returns [`InvalidJson::Malformed`] if the bytes are not UTF-8, not JSON or not an object. Otherwise returns the JSON
/// pointers of the fields that are missing, unknown, repeated or invalid.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, InvalidJson> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        InvalidJson::Malformed(format!(
            "the text is not valid UTF-8: the byte at offset {} does not begin a valid character; send UTF-8",
            error.valid_up_to()
        ))
    })?;
    // Validate the syntax first, so that a truncated document is never reported as a wrong field.
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| InvalidJson::Malformed(syntax::problem(text, &error)))?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(InvalidJson::Malformed(
            "the JSON is not an object; send an object in { }".to_owned(),
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        InvalidJson::Fields(fields::every_problem::<T>(
            text,
            error.path(),
            error.inner(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::RoundParts;

    fn problem(text: &str) -> InvalidJson {
        read::<RoundParts>(text.as_bytes()).unwrap_err()
    }

    fn fields(text: &str) -> Vec<(String, String)> {
        match problem(text) {
            InvalidJson::Fields(problems) => problems
                .into_iter()
                .map(|one| (one.field, one.detail))
                .collect(),
            InvalidJson::Malformed(detail) => panic!("{text}: {detail}"),
        }
    }

    fn field(text: &str) -> (String, String) {
        fields(text).swap_remove(0)
    }

    const GOOD: &str =
        r#"{"round_id":"1","server":"s","winner":"a","team_a":["[U:1:1]"],"team_b":["[U:1:2]"]}"#;

    #[test]
    fn each_problem_states_what_to_send_instead() {
        for (member, detail) in [
            (r#""winner":7"#, r#"is 7; send "a", "b" or "draw""#),
            (
                r#""winner":1e400"#,
                "is a number out of range; send a number",
            ),
            (r#""winner":"\ud800""#, "contains half of a character"),
            (r#""map":7"#, "is 7; send a string"),
            (r#""map":[]"#, "is a list; send a string"),
            (r#""map":"a","team_a":true"#, "is true; send a list"),
            ("\"missing field `x`\":1", "is not a field here; send one"),
        ] {
            let text = GOOD.replacen("\"winner\":\"a\"", member, 1);
            assert!(field(&text).1.starts_with(detail), "{}", field(&text).1);
        }
    }

    #[test]
    fn every_field_that_is_wrong_is_named_once() {
        let text = r#"{"round_id":"","server":5,"winner":"c","map":[],"x/y":1,"z":{},
            "team_a":["BOT",{"id":"[U:1:1]","seconds":-1},{},[],{"id":"[U:1:2]","at_start":"no"}]}"#;
        let mut found: Vec<String> = fields(text).into_iter().map(|(field, _)| field).collect();
        found.sort_unstable();
        let wrong = "/map /round_id /server /team_a/0 /team_a/1/seconds /team_a/2/id /team_a/3 \
                     /team_a/4/at_start /team_b /winner /x~1y /z";
        assert_eq!(found.join(" "), wrong);
    }

    #[test]
    fn what_was_sent_is_not_repeated_at_length() {
        let long = "x".repeat(100_000);
        for text in [
            GOOD.replacen("[\"[U:1:1]\"]", &format!("\"{long}\""), 1),
            GOOD.replacen("\"winner\"", &format!("\"{long}\""), 1),
        ] {
            let (pointer, detail) = field(&text);
            assert!(pointer.len() + detail.len() < 1000, "{pointer}: {detail}");
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_shown_and_not_repeated() {
        let text = GOOD.replacen("\"winner\"", "\"\u{9b}31m\\u001b\\n\u{202e}ä\"", 1);
        assert_eq!(field(&text).0, "/\u{9b}31m\u{1b}\n\u{202e}ä");
        let shown = problem(&text).to_string();
        assert!(
            shown.starts_with(r"/\u{9b}31m\u{1b}\u{a}\u{202e}ä is not a field here"),
            "{shown}"
        );
    }
}
