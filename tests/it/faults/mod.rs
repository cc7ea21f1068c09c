//! Deliberate faults. Afterwards the log contains every acknowledged round exactly once, with the answer that was
//! given, and every rating follows from the log.
//!
//! Each test makes a few faults. `RBS_TEST_FAULTS=200` makes 200 in each test. Run one test at a time to read the table
//! of results:
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

/// Environment variable with the number of faults per test.
const VARIABLE: &str = "RBS_TEST_FAULTS";
/// Default number of faults per test.
const FEW: u32 = 4;

fn faults() -> u32 {
    std::env::var(VARIABLE).map_or(FEW, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{VARIABLE} is {text:?}; give a whole number"))
    })
}

/// Timeout for a test with that number of faults on a busy machine.
fn longest() -> Duration {
    Duration::from_mins(2) + Duration::from_secs(15) * faults()
}
