//! The service is killed repeatedly while the plugin reports rounds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::bed::{Bed, Win};
use super::scenarios::names;
use crate::faults::site::{Site, plainly};
use crate::support::{Database, Dice, Engine, run_bare_within};
use sourcemod_bed::game::{Mode, Team};

/// Longer than any step takes on a busy machine.
const MAX_WAIT: Duration = Duration::from_mins(3);
const ROUNDS: usize = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_is_killed_counts_each_round_once_on_sqlite() {
    run_bare_within(MAX_WAIT, Engine::Sqlite, play).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_is_killed_counts_each_round_once_on_postgresql() {
    run_bare_within(MAX_WAIT, Engine::Postgres, play).await;
}

async fn play(database: &Database) {
    let mut site = Site::open(&database.url_text(), 1, plainly);
    let mut bed = Bed::without_plugin(Mode::Arena);
    bed.follow(site.addresses());
    bed.set_up("arena-1");
    bed.load().await;
    bed.fill(1, 6);
    let (ends, mut kills) = (AtomicBool::new(false), 0);
    std::thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut dice = Dice::new(1);
            let mut kills = 0;
            while !ends.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20 + dice.below(250) as u64));
                site.kill_and_start(0);
                kills += 1;
            }
            kills
        });
        let runtime = tokio::runtime::Handle::current();
        tokio::task::block_in_place(|| {
            runtime.block_on(Box::pin(async {
                for _ in 0..ROUNDS {
                    bed.play(Win::of(Team::Red), 20.0).await;
                    // Game time runs fast, but the service restarts in real time.
                    tokio::time::sleep(Duration::from_millis(40)).await;
                }
            }));
        });
        ends.store(true, Ordering::Relaxed);
        kills = killer.join().expect("the killer ends");
    });
    assert!(kills > 1, "the service was killed {kills} times");
    bed.pass(130.0).await;
    for file in ["queue.arena-1.jsonl", "refused.arena-1.jsonl"] {
        assert_eq!(names(&bed, file), [""; 0], "{file} after {kills} kills");
    }
    let overflow = names(&bed, "overflow.arena-1.jsonl").len();
    site.stop();
    let rounds = database.count("select count(*) from rounds").await;
    let rounds = usize::try_from(rounds).expect("a count");
    assert_eq!(rounds + overflow, ROUNDS, "after {kills} kills");
}
