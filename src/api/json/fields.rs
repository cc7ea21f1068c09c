//! Messages about wrong fields of a JSON object.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::{Value, json};
use serde_path_to_error::{Path, Segment};

use crate::api::MAX_PROBLEMS;
use crate::domain::FieldProblem;

/// Maximum number of times that a JSON document is parsed again to find further wrong fields, and maximum number of
/// bytes parsed in all.
const MAX_READINGS: usize = 100;
const MAX_BYTES: usize = 1024 * 1024;

struct Wrong {
    /// JSON pointer from the root of the document to the wrong field.
    pointer: String,
    problem: FieldProblem,
}

impl Wrong {
    /// Returns `true` if the wrong field is the field at `pointer` or lies inside that field.
    fn is_in(&self, pointer: &str) -> bool {
        let rest = self.pointer.strip_prefix(pointer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Returns the wrong fields of `text`, at most [`MAX_PROBLEMS`]. `text` is JSON that does not have the shape of
/// `T`; serde found `error` at `path` first.
///
/// Serde stops at the first error. So each wrong value is replaced by a valid one, and the document is parsed again.
pub(super) fn every_problem<T: DeserializeOwned>(
    text: &str,
    path: &Path,
    error: &serde_json::Error,
) -> Vec<FieldProblem> {
    let mut found = vec![wrong(path, error)];
    // A document that cannot become a `Value`, for example for half of a surrogate pair, reports only the first error.
    if let Ok(document) = serde_json::from_str(text) {
        let most = MAX_READINGS.min(MAX_BYTES / text.len().max(1));
        find_others::<T>(document, most, &mut found);
    }
    found.into_iter().map(|wrong| wrong.problem).collect()
}

fn find_others<T: DeserializeOwned>(mut document: Value, most: usize, found: &mut Vec<Wrong>) {
    let mut stand_ins = stand_ins();
    let mut readings = 0;
    let mut next = first_wrong::<T>(&document);
    while let Some(wrong) = next {
        let pointer = wrong.pointer.clone();
        if found.iter().all(|known| known.pointer != pointer) {
            if found.len() == MAX_PROBLEMS {
                return;
            }
            found.push(wrong);
        }
        let mut tried = 0;
        next = loop {
            readings += 1;
            let Some(stand_in) = stand_ins.get(tried) else {
                return;
            };
            if readings > most {
                return;
            }
            if put(&mut document, &pointer, stand_in.clone()) {
                let wrong = first_wrong::<T>(&document);
                if !wrong.as_ref().is_some_and(|wrong| wrong.is_in(&pointer)) {
                    break wrong;
                }
            }
            tried += 1;
        };
        // Wrong fields often have the same type, so try the value that fitted first next time.
        stand_ins.swap(0, tried);
    }
}

fn first_wrong<T: DeserializeOwned>(document: &Value) -> Option<Wrong> {
    let read: Result<T, _> = serde_path_to_error::deserialize(document);
    let error = read.err()?;
    Some(wrong(error.path(), error.inner()))
}

/// Returns replacements for a wrong value, one of each type that a field may have. `None` removes the field.
fn stand_ins() -> Vec<Option<Value>> {
    let id = "76561197960265729";
    let values = [
        Value::Null,
        json!(id),
        json!([]),
        json!(2),
        json!("a"),
        json!([id, id]),
        json!({"a": [], "b": []}),
        json!({"name": "a", "players": []}),
    ];
    values.into_iter().map(Some).chain([None]).collect()
}

/// Sets the value at the JSON pointer `pointer`, or removes the field if `value` is `None`. Returns `true` on success.
fn put(document: &mut Value, pointer: &str, value: Option<Value>) -> bool {
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return false;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    match (document.pointer_mut(parent), value) {
        (Some(Value::Object(members)), Some(value)) => {
            members.insert(name, value);
            true
        }
        (Some(Value::Object(members)), None) => members.remove(&name).is_some(),
        (Some(Value::Array(items)), Some(value)) => {
            let item = name
                .parse()
                .ok()
                .and_then(|index: usize| items.get_mut(index));
            item.map(|item| *item = value).is_some()
        }
        _ => false,
    }
}

fn wrong(path: &Path, error: &serde_json::Error) -> Wrong {
    let mut pointer = pointer(path);
    let message = error.to_string();
    // The syntax was validated before. The only syntax errors left are numbers that no float can hold, and half
    // surrogate pairs, which serde detects only in strings that it reads.
    if error.classify() == Category::Syntax {
        let detail = if message.starts_with("number") {
            "is a number out of range; send a number that fits in 64 bits"
        } else {
            "contains half of a character that takes two escapes, such as \\ud83d\\ude00; send both escapes or neither"
        };
        return Wrong {
            problem: FieldProblem::new(pointer.clone(), detail),
            pointer,
        };
    }
    let message = without_place(&message);
    if message.starts_with("unknown field `") {
        let wanted = message
            .rsplit_once(", expected ")
            .map_or("nothing of the kind", |(_, wanted)| wanted);
        let detail = format!("is not a field here; send {wanted}");
        return Wrong {
            problem: FieldProblem::new(shortened(&pointer), detail),
            pointer,
        };
    }
    // Serde names the field in the message only; the path ends at the enclosing object.
    for (prefix, advice) in [
        ("missing field `", "is missing; send it"),
        ("duplicate field `", "is sent twice; send it once"),
    ] {
        if let Some(name) = message.strip_prefix(prefix) {
            let last = format!("/{}", escaped(name.trim_end_matches('`')));
            if !pointer.ends_with(&last) {
                pointer.push_str(&last);
            }
            return Wrong {
                problem: FieldProblem::new(pointer.clone(), advice),
                pointer,
            };
        }
    }
    Wrong {
        problem: FieldProblem::new(shortened(&pointer), shortened(&advice(message))),
        pointer,
    }
}

/// Removes the line and column from the end of an error message of serde.
fn without_place(message: &str) -> &str {
    let is_place = |place: &str| {
        let mut words = place.split(" column ");
        let mut is_number = || words.next().is_some_and(|word| word.parse::<u64>().is_ok());
        is_number() && is_number()
    };
    let parts = message.rsplit_once(" at line ");
    parts
        .filter(|(_, place)| is_place(place))
        .map_or(message, |(message, _)| message)
}

/// Truncates a text that may quote the request, to keep answers and logs short.
fn shortened(text: &str) -> String {
    const MAX_LENGTH: usize = 300;
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(MAX_LENGTH).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Rewrites serde's message "invalid type: A, expected B" as "is A; send B", in JSON terms.
fn advice(message: &str) -> String {
    let Some((found, wanted)) = message.split_once(", expected ") else {
        return message.to_owned();
    };
    let found = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|prefix| found.strip_prefix(prefix))
        .unwrap_or(found);
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        other => ["string ", "integer ", "floating point ", "boolean "]
            .iter()
            .find_map(|kind| other.strip_prefix(kind))
            .map_or(other, |value| value.trim_matches('`')),
    };
    // Serde names the expected type as a Rust type.
    let wanted = match wanted {
        "i32" | "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number from 0",
        "f64" => "a number",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        other => other,
    };
    format!("is {found}; send {wanted}")
}

/// Converts a path of serde into a JSON pointer (RFC 6901).
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
