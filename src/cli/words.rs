//! Counts in sentences.

/// "1 round", "2 rounds".
pub(super) fn plural(count: u64, one: &str) -> String {
    plural_of(count, one, &format!("{one}s"))
}

/// "1 entry", "2 entries".
pub(super) fn plural_of(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
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
}
