//! The rating math against known answers, against its own definitions, and against the laws that
//! players rely on.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails ends its test, and that is what it should do"
)]

mod book;
mod definition;
mod generate;
mod known_answers;
mod laws;
mod rounding;

use proptest::test_runner::{Config, RngSeed};

/// The same `cases` histories in every run, so that a failure here is a failure everywhere.
fn same_every_time(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_120),
        ..Config::default()
    }
}
