//! What breaks in the field, done on purpose: afterwards every acknowledged round is in the log
//! exactly once, with the answer that was given, and every rating is what the log says.
//!
//! Each test makes a few faults. `RBS_TEST_FAULTS=200` makes that many in each, one test at a time
//! and with the table of what came of it:
//!
//! ```sh
//! RBS_TEST_FAULTS=200 scripts/test.sh --test it faults:: -- --nocapture --test-threads 1
//! ```

mod away;
mod backup;
mod client;
mod cluster;
mod connection_cut;
mod disk_full;
mod failover;
pub mod plugin;
mod pooler;
mod proxy;
mod server_killed;
mod service_killed;
pub mod site;
pub mod verdict;

use std::time::Duration;

/// Sets how many faults a test makes.
const VARIABLE: &str = "RBS_TEST_FAULTS";
/// How many where nothing is set.
const FEW: u32 = 4;

/// How many faults each test makes.
fn faults() -> u32 {
    std::env::var(VARIABLE).map_or(FEW, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{VARIABLE} is {text:?}; give a whole number"))
    })
}

/// Longer than a test with so many faults takes on a busy machine.
fn longest() -> Duration {
    Duration::from_mins(2) + Duration::from_secs(15) * faults()
}
