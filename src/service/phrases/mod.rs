//! The sentences of answers.

pub(crate) mod balance;
mod clauses;
pub(crate) mod odds;
pub(crate) mod split;

use std::fmt::Display;

/// "1 player waits", "2 players wait": the count, with the words for one or for several.
pub(crate) fn plural<Count: Copy + Display + PartialEq + From<u8>>(
    count: Count,
    one: &str,
    several: &str,
) -> String {
    let words = if count == Count::from(1) {
        one
    } else {
        several
    };
    format!("{count} {words}")
}
