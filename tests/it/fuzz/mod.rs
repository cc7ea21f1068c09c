//! Random requests never cause a panic or an internal error. Every refusal has the documented shape, no answer contains
//! a secret or data of another pool, and each event is one line in the log.
//!
//! Every run has the same cases. `RBS_FUZZ_CASES` sets their number for each database, and `RBS_FUZZ_SEED` selects
//! other cases:
//!
//! ```sh
//! RBS_FUZZ_CASES=100000 RBS_FUZZ_SEED=7 scripts/test.sh --test it fuzz::
//! ```

mod bodies;
mod corpus;
mod entries;
mod files;
mod generate;
mod logs;
mod paths;
mod target;

use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{Database, Engine, run_bare};
use target::Target;

/// Default number of requests for each database.
const CASES: u32 = 3_000;

fn number(variable: &str, default: u32) -> u32 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|error| panic!("{variable} is {text:?}: {error}"))
    })
}

/// Deterministic for a seed.
fn runner() -> TestRunner {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number("RBS_FUZZ_SEED", 7).to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(Config::default(), random)
}

#[tokio::test]
async fn no_request_breaks_the_service_on_sqlite() {
    Box::pin(run_bare(Engine::Sqlite, no_request_breaks)).await;
}

#[tokio::test]
async fn no_request_breaks_the_service_on_postgres() {
    Box::pin(run_bare(Engine::Postgres, no_request_breaks)).await;
}

async fn no_request_breaks(database: &Database) {
    let target = Target::start(database).await;
    let mut runner = runner();
    let requests = generate::request();
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..self::number("RBS_FUZZ_CASES", CASES) {
        let mut tree = requests.new_tree(&mut runner).expect("a request");
        let Err(mut why) = target.try_out(&tree.current(), &mut counts).await else {
            continue;
        };
        // Shrinks to a minimal failing case.
        let mut least = tree.current();
        let mut simpler = tree.simplify();
        while simpler {
            match target.try_out(&tree.current(), &mut counts).await {
                Err(reason) => {
                    (least, why) = (tree.current(), reason);
                    simpler = tree.simplify();
                }
                Ok(()) => simpler = tree.complicate(),
            }
        }
        panic!("request {number}: {why}\n{least:#?}");
    }
    // Checks that the cases reach every status; otherwise the test would prove little.
    for status in [200, 400, 401, 403, 404, 405, 409, 413, 415, 422] {
        let times = counts.get(&status).copied().unwrap_or_default();
        assert!(
            times > 0,
            "no request was answered with {status}: {counts:?}"
        );
    }
    target.stop().await;
}
