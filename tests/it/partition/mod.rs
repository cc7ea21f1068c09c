//! The splits, seen from outside the crate.

mod cases;
mod dice;
mod differential;
mod enumeration;
mod enumeration_tests;
mod gosper;
mod known_answers;
mod laws;
mod merits;
mod oracle;
mod pools;
mod sharing;
mod slow_program;
mod wishes;
