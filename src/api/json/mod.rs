pub(crate) mod bounded;
pub(crate) mod object;
pub(crate) mod path_segment;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment};

use crate::domain::FieldProblem;

/// Why a text is not the JSON that was asked for.
///
/// Its text is for logs and terminals: what it repeats of what was sent, it repeats visibly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidJson {
    /// Not JSON, or not an object.
    #[error("{}", visible(.0))]
    Malformed(String),
    /// JSON, with a field that is not acceptable.
    #[error("{} {}", visible(&.0.field), visible(&.0.detail))]
    Field(FieldProblem),
}

/// `text` without what a terminal obeys rather than shows: control characters, and those that turn
/// lines around or break them.
fn visible(text: &str) -> String {
    let obeyed = |character: char| {
        character.is_control()
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if obeyed(character) {
            visible.extend(character.escape_unicode());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// Reads `bytes` as one JSON object of the shape `T`.
///
/// # Errors
/// [`InvalidJson::Malformed`] where the bytes are not UTF-8, not JSON or no object; otherwise the
/// first field that is missing, unknown, given twice or not acceptable, by its JSON pointer.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, InvalidJson> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        InvalidJson::Malformed(format!(
            "the text is not UTF-8: the byte at {} begins no character",
            error.valid_up_to()
        ))
    })?;
    // The syntax first, so that half a document is never mistaken for a wrong field.
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| InvalidJson::Malformed(format!("the text is not JSON: {error}")))?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(InvalidJson::Malformed(
            "the JSON is not an object; send one in { }".to_owned(),
        ));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| InvalidJson::Field(field_problem(error.path(), error.inner())))
}

fn field_problem(path: &Path, error: &serde_json::Error) -> FieldProblem {
    let mut field = pointer(path);
    let message = error.to_string();
    // The syntax of the whole is known to be right, so what is left is a number that no float can
    // hold, or half of a surrogate pair, which serde meets only where the text is wanted.
    if error.classify() == Category::Syntax {
        let detail = if message.starts_with("number") {
            "is a number out of range; send one that fits 64 bits"
        } else {
            "has half of a surrogate pair in it, which is no character; send both halves or neither"
        };
        return FieldProblem::new(field, detail);
    }
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    if message.starts_with("unknown field `") {
        let wanted = message
            .rsplit_once(", expected ")
            .map_or("nothing of the kind", |(_, wanted)| wanted);
        return FieldProblem::new(
            shortened(&field),
            format!("is not a field here; send {wanted}"),
        );
    }
    // Serde names the field in its text, and the path ends at the object around it.
    for (prefix, advice) in [
        ("missing field `", "is missing; send it"),
        ("duplicate field `", "stands twice; send it once"),
    ] {
        if let Some(name) = message.strip_prefix(prefix) {
            let last = format!("/{}", escaped(name.trim_end_matches('`')));
            if !field.ends_with(&last) {
                field.push_str(&last);
            }
            return FieldProblem::new(field, advice);
        }
    }
    FieldProblem::new(shortened(&field), shortened(&advice(message)))
}

/// A text that may repeat what was sent, cut where it would clutter an answer or a log.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Serde's "invalid type: A, expected B" as "is A; send B".
fn advice(message: &str) -> String {
    let Some((found, wanted)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|prefix| found.strip_prefix(prefix))
        .unwrap_or(found);
    // Serde names what is wanted by Rust's type.
    let wanted = match wanted {
        "i32" | "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number from 0",
        other => other,
    };
    format!("is {found}; send {wanted}")
}

/// The path as a JSON pointer (RFC 6901).
fn pointer(path: &Path) -> String {
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(format!("/{index}")),
            Segment::Map { key } => Some(format!("/{}", escaped(key))),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::RoundParts;

    fn problem(text: &str) -> InvalidJson {
        read::<RoundParts>(text.as_bytes()).unwrap_err()
    }

    fn field(text: &str) -> (String, String) {
        match problem(text) {
            InvalidJson::Field(problem) => (problem.field, problem.detail),
            InvalidJson::Malformed(detail) => panic!("{text}: {detail}"),
        }
    }

    const GOOD: &str =
        r#"{"round_id":"1","server":"s","winner":"a","team_a":["[U:1:1]"],"team_b":["[U:1:2]"]}"#;

    #[test]
    fn each_problem_states_what_to_send_instead() {
        for (member, detail) in [
            (
                r#""winner":7"#,
                r#"is integer `7`; send "a", "b" or "draw""#,
            ),
            (r#""winner":1e400"#, "is a number out of range; send one"),
            (r#""winner":"\ud800""#, "has half of a surrogate pair in it"),
            (r#""map":7"#, "is integer `7`; send a string"),
            ("\"missing field `x`\":1", "is not a field here; send one"),
        ] {
            let text = GOOD.replacen("\"winner\":\"a\"", member, 1);
            assert!(field(&text).1.starts_with(detail), "{}", field(&text).1);
        }
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
        let InvalidJson::Field(sent) = problem(&text) else {
            panic!("{text} is JSON");
        };
        assert_eq!(sent.field, "/\u{9b}31m\u{1b}\n\u{202e}ä");
        let shown = problem(&text).to_string();
        assert!(
            shown.starts_with(r"/\u{9b}31m\u{1b}\u{a}\u{202e}ä is not a field here"),
            "{shown}"
        );
    }
}
