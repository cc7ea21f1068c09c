//! What keeps a text from being JSON, in sentences.

use serde_json::error::Category;

/// What some editors put in front of UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// The longest word that is repeated.
const MAX_WORD: usize = 40;

/// Why `text` is not JSON, of which serde says `error`.
pub(super) fn problem(text: &str, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let (message, place) = message
        .rsplit_once(" at line ")
        .unwrap_or((&message, "1 column 0"));
    let known = mistake(text, error, message);
    let (what, advice) = known.unwrap_or_else(|| (message.to_owned(), "send one JSON object"));
    format!("the text is not JSON: {what} at line {place}; {advice}")
}

/// What is wrong and what to do, of the commonest mistakes.
fn mistake(text: &str, error: &serde_json::Error, message: &str) -> Option<(String, &'static str)> {
    if text.starts_with(BYTE_ORDER_MARK) {
        return Some((
            "a byte order mark stands in front of it".to_owned(),
            "send UTF-8 without one",
        ));
    }
    if error.classify() == Category::Eof {
        return Some(("it ends too early".to_owned(), "send all of it"));
    }
    // Other messages are about what stands in a string, or between values.
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

/// What stands between the two parts of a text, where a value or a name is expected, and is neither.
fn no_value((before, behind): (&str, &str)) -> Option<(String, &'static str)> {
    if behind.starts_with('\'') {
        let what = "a single quote stands".to_owned();
        return Some((what, "put names and texts in double quotes"));
    }
    if behind.starts_with(['}', ']']) && before.trim_ascii_end().ends_with(',') {
        let what = "a comma stands behind the last item".to_owned();
        return Some((what, "take the comma out"));
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
    Some((format!("the word {word} stands"), advice))
}

#[cfg(test)]
mod tests {
    use serde::de::IgnoredAny;

    use super::*;

    #[test]
    fn the_commonest_mistakes_are_named() {
        for (text, sentence) in [
            (
                "\u{feff}{}",
                "a byte order mark stands in front of it at line 1 column 1; send UTF-8 without one",
            ),
            (
                "{\"a\": 1",
                "it ends too early at line 1 column 7; send all of it",
            ),
            (
                "{\"a\": 1,}",
                "a comma stands behind the last item at line 1 column 9; take the comma out",
            ),
            (
                "{\"a\": [1,\n]}",
                "a comma stands behind the last item at line 2 column 1; take the comma out",
            ),
            (
                "{'a': 1}",
                "a single quote stands at line 1 column 2; put names and texts in double quotes",
            ),
            (
                "{\"a\": 'b'}",
                "a single quote stands at line 1 column 7; put names and texts in double quotes",
            ),
            (
                "{a: 1}",
                "the word a stands at line 1 column 2; put names and texts in double quotes",
            ),
            (
                "{\"ä\": NaN}",
                "the word NaN stands at line 1 column 8; JSON has no such number, so send null or leave the field out",
            ),
            (
                "{\"a\": -Infinity}",
                "the word Infinity stands at line 1 column 8; JSON has no such number, so send null or leave the field out",
            ),
            (
                "{\"a\":\nTrue}",
                "the word True stands at line 2 column 1; send true, false or null",
            ),
            (
                "nonsense",
                "the word nonsense stands at line 1 column 2; put names and texts in double quotes",
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
