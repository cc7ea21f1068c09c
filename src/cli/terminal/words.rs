//! Counts in sentences, and words that are to be pasted.

/// "1 round", "2 rounds".
pub(crate) fn plural(count: u64, one: &str) -> String {
    plural_of(count, one, &format!("{one}s"))
}

/// "1 entry", "2 entries".
pub(crate) fn plural_of(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A text as a shell takes it for one word.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:,/+@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stands_alone() {
        assert_eq!(plural(0, "round"), "0 rounds");
        assert_eq!(plural(1, "round"), "1 round");
        assert_eq!(plural_of(2, "entry", "entries"), "2 entries");
    }

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        for (text, word) in [
            ("1763640000.17", "1763640000.17"),
            ("1.a;reboot", "'1.a;reboot'"),
            ("1.it's", r"'1.it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
