use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Escape character after a name of one or two dots in a URL path. Clients and proxies resolve segments of dots, even
/// percent-encoded, as relative paths, so the request would never arrive.
const ESCAPE: char = '~';

/// Characters that are percent-encoded in URLs: all except letters, digits, `-`, `_`, `~`, `.` and `:`.
const ENCODED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'~')
    .remove(b'.')
    .remove(b':');

/// Returns `true` if `text` is `.` or `..`, followed by any number of escape characters.
fn is_dots(text: &str) -> bool {
    matches!(text.trim_end_matches(ESCAPE), "." | "..")
}

/// Encodes a name as one segment of a URL path. `.` and `..` get a trailing `~`. A name that already is dots and `~`
/// gets one more `~`, to keep the encoding unique.
pub(crate) fn path_part(name: &str) -> String {
    let mut part = percent_encoded(name);
    if is_dots(name) {
        part.push(ESCAPE);
    }
    part
}

/// Decodes a name that [`path_part`] encoded, by removing the `~` after dots. `part` must be percent-decoded already.
pub(crate) fn name_of_path_part(part: &str) -> &str {
    let name = part.strip_suffix(ESCAPE).filter(|_| is_dots(part));
    name.unwrap_or(part)
}

/// Percent-encodes `text` for use in the path or query of a URL.
pub(crate) fn percent_encoded(text: &str) -> String {
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
