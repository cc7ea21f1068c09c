//! The splits, seen from outside the crate.

mod enumeration;
mod enumeration_tests;
mod gosper;
mod known_answers;
mod laws;
mod oracle;
mod pools;
