//! The splits, seen from outside the crate.

mod known_answers;
mod laws;
mod oracle;
