//! Times of splits, and what came of many of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rbs::partition::{Limits, Pool, Wishes, solve};

/// How often a pool is split: so often at least, and more often up to a time, because a neighbour on the
/// machine makes some of them look slow; but once if that takes long.
pub const REPEATS: usize = 3;
pub const MAX_REPEATS: usize = 20;
const TIME_PER_POOL: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(100);

/// The best time in which a pool is split into every size.
pub fn time(pool: &Pool, wishes: &Wishes, at_least: usize) -> Duration {
    let limits = Limits::default();
    best(at_least, || {
        black_box(solve(black_box(pool), black_box(wishes), &limits));
    })
}

/// The best time of so many repeats at least, or of one that takes long.
pub fn best(at_least: usize, mut run: impl FnMut()) -> Duration {
    let mut best = Duration::MAX;
    let begun = Instant::now();
    for repeat in 1..=MAX_REPEATS {
        let started = Instant::now();
        run();
        best = best.min(started.elapsed());
        if best > LONG || (repeat >= at_least && begun.elapsed() > TIME_PER_POOL) {
            break;
        }
    }
    best
}

/// What came of the pools of one kind.
#[derive(Debug, Default)]
pub struct Measured {
    /// The best time of each pool, with the seed that it was drawn from.
    times: Vec<(Duration, u64)>,
    splits: usize,
    proven: usize,
}

impl Measured {
    /// Splits the pools of these seeds: as many as can be measured in `time`, but `least` at least.
    pub fn of(
        seeds: std::ops::Range<u64>,
        (least, limit): (usize, Duration),
        request: impl Fn(u64) -> (Pool, Wishes),
    ) -> Self {
        let mut measured = Self::default();
        let started = Instant::now();
        for seed in seeds {
            if measured.times.len() >= least && started.elapsed() > limit {
                break;
            }
            let (pool, wishes) = request(seed);
            measured.times.push((time(&pool, &wishes, REPEATS), seed));
            let splits = solve(&pool, &wishes, &Limits::default()).splits;
            measured.splits += splits.len();
            measured.proven += splits.iter().filter(|split| split.optimal).count();
        }
        measured.times.sort_unstable();
        measured
    }

    /// How many pools there are.
    pub fn pools(&self) -> usize {
        self.times.len()
    }

    /// Milliseconds that so many percent of the pools do not exceed.
    pub fn percentile(&self, percent: usize) -> f64 {
        let last = self.times.len() - 1;
        milliseconds(self.times[(last * percent).div_ceil(100)].0)
    }

    /// The seed of the pool that took longest.
    pub fn seed_of_worst(&self) -> u64 {
        self.times[self.times.len() - 1].1
    }

    /// The percentage of the splits that are proven to be optimal, rounded down.
    pub fn proven(&self) -> usize {
        100 * self.proven / self.splits
    }
}

/// The same in milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
