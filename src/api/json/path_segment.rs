use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What a name is called in a path that is nothing but one or two dots: clients and proxies take such a
/// part, encoded or not, for a way up, and it would never arrive.
const ESCAPE: char = '~';

/// What is encoded: everything but letters, digits and these.
const ENCODED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'~')
    .remove(b'.')
    .remove(b':');

/// Whether `text` is one or two dots, and behind them nothing but the escape.
fn is_dots(text: &str) -> bool {
    matches!(text.trim_end_matches(ESCAPE), "." | "..")
}

/// A name as one part of a path, whatever characters are in it. `.` and `..` have a `~` behind them, and
/// so that nothing is called alike, a name that has one there has one more.
#[must_use]
pub fn path_part(name: &str) -> String {
    let mut part = percent_encoded(name);
    if is_dots(name) {
        part.push(ESCAPE);
    }
    part
}

/// The name that a part of a path stands for, once that is decoded.
#[must_use]
pub fn name_of_path_part(part: &str) -> &str {
    let name = part.strip_suffix(ESCAPE).filter(|_| is_dots(part));
    name.unwrap_or(part)
}

/// `text` as it stands in a path or a query without meaning anything there.
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, &ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_odd_characters_is_one_part_of_a_path_and_comes_back() {
        for (name, part) in [
            ("a/b?c%d#e:1", "a%2Fb%3Fc%25d%23e:1"),
            (".", ".~"),
            ("..", "..~"),
            (".~", ".~~"),
            ("..~~", "..~~~"),
            ("...", "..."),
            ("a.~", "a.~"),
            ("~", "~"),
            (".~.", ".~."),
        ] {
            assert_eq!(path_part(name), part, "{name}");
            if !part.contains('%') {
                assert_eq!(name_of_path_part(part), name);
            }
        }
        assert_eq!(name_of_path_part("."), ".", "where it arrives");
    }
}
