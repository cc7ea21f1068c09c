//! All integration tests in one binary, because one binary links faster than many.

#![expect(
    unreachable_pub,
    reason = "a test binary exports nothing, so `pub` means to the other modules"
)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic with a message"
)]

#[macro_use]
mod support;

mod cli;
mod docs;
mod faults;
mod fuzz;
mod http;
mod layers;
mod ledger;
mod matchmaking;
mod partition;
mod plugin;
mod rating;
mod recording;
mod store;
mod versions;

/// Sorts last, so its line ends the list of tests.
#[test]
fn what_is_left_out_is_run_by_scripts_test_sh() {
    support::name_what_is_left_out();
}
