//! Error messages about JSON syntax errors.

use serde_json::error::Category;

/// Byte order mark, which some editors write before UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// Maximum number of characters of a word from the JSON text that an error message quotes.
const MAX_WORD: usize = 40;

/// Returns an error message about the JSON syntax error that serde found in `text`.
pub(super) fn problem(text: &str, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let (message, place) = message
        .rsplit_once(" at line ")
        .unwrap_or((&message, "1 column 0"));
    let known = mistake(text, error, message);
    let (what, advice) = known.unwrap_or_else(|| (message.to_owned(), "send one JSON object"));
    format!("the text is not JSON: {what} at line {place}; {advice}")
}

/// Returns the problem and the advice if the JSON syntax error is one of the most common mistakes.
fn mistake(text: &str, error: &serde_json::Error, message: &str) -> Option<(String, &'static str)> {
    if text.starts_with(BYTE_ORDER_MARK) {
        return Some((
            "unexpected byte order mark".to_owned(),
            "send UTF-8 without a byte order mark",
        ));
    }
    if error.classify() == Category::Eof {
        return Some(("it ends too early".to_owned(), "send the complete JSON"));
    }
    // Serde's other messages are about the content of a string, or the separators between values.
    let about_values = [
        "expected value",
        "expected ident",
        "key must be a string",
        "invalid number",
        "trailing comma",
        "trailing characters",
    ];
    if !about_values.contains(&message) {
        return None;
    }
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines
        .by_ref()
        .take(error.line().checked_sub(1)?)
        .map(str::len)
        .sum();
    no_value(text.split_at_checked(before + error.column().checked_sub(1)?)?)
}

/// Returns the problem and the advice if JSON lacks a value or key between the texts `before` and `behind`.
fn no_value((before, behind): (&str, &str)) -> Option<(String, &'static str)> {
    if behind.starts_with('\'') {
        let what = "unexpected single quote".to_owned();
        return Some((what, "put names and texts in double quotes"));
    }
    if behind.starts_with(['}', ']']) && before.trim_ascii_end().ends_with(',') {
        let what = "unexpected comma after the last item".to_owned();
        return Some((what, "remove the comma"));
    }
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    let begun = before.len() - before.trim_end_matches(is_of_word).len();
    let word: String = before[before.len() - begun..]
        .chars()
        .chain(behind.chars())
        .take_while(|character| is_of_word(*character))
        .take(MAX_WORD)
        .collect();
    if !word.starts_with(char::is_alphabetic) {
        return None;
    }
    let advice = match word.as_str() {
        "NaN" | "Infinity" | "Inf" | "inf" | "nan" => {
            "JSON has no such number, so send null or leave the field out"
        }
        "True" | "False" | "None" | "undefined" => "send true, false or null",
        _ => "put names and texts in double quotes",
    };
    Some((format!("unexpected word {word}"), advice))
}

#[cfg(test)]
mod tests {
    use serde::de::IgnoredAny;

    use super::*;

    #[test]
    fn the_commonest_mistakes_are_named() {
        for (text, sentence) in [
            (
                "{\"a\": 1",
                "it ends too early at line 1 column 7; send the complete JSON",
            ),
            (
                "{\"a\": [1,\n]}",
                "unexpected comma after the last item at line 2 column 1; remove the comma",
            ),
            (
                "{\"a\": 'b'}",
                "unexpected single quote at line 1 column 7; put names and texts in double quotes",
            ),
            (
                "{a: 1}",
                "unexpected word a at line 1 column 2; put names and texts in double quotes",
            ),
            (
                "{\"a\": -Infinity}",
                "unexpected word Infinity at line 1 column 8; JSON has no such number, so send null or leave the field out",
            ),
            (
                "{\"a\":\nTrue}",
                "unexpected word True at line 2 column 1; send true, false or null",
            ),
            (
                "nonsense",
                "unexpected word nonsense at line 1 column 2; put names and texts in double quotes",
            ),
            (
                "{\"a\": 01}",
                "invalid number at line 1 column 8; send one JSON object",
            ),
            (
                "{} {}",
                "trailing characters at line 1 column 4; send one JSON object",
            ),
        ] {
            let error = serde_json::from_str::<IgnoredAny>(text).unwrap_err();
            assert_eq!(
                problem(text, &error),
                format!("the text is not JSON: {sentence}")
            );
        }
    }
}
