//! Tests of splits through the public interface.

mod cases;
mod dice;
mod differential;
mod enumeration;
mod enumeration_tests;
mod gosper;
mod handicap;
mod known_answers;
mod laws;
mod merits;
mod oracle;
mod pools;
mod sharing;
mod slow_program;
mod wishes;

use proptest::prelude::ProptestConfig;

/// A quarter of the configured cases, because neither the tests nor the tested code are optimised. `.ci/run full`
/// optimises both, and sets four times the number of cases.
fn some_cases() -> ProptestConfig {
    let cases = ProptestConfig::default().cases.div_ceil(4);
    ProptestConfig::with_cases(cases)
}
