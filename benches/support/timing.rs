//! Times of splits, and their summary.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rbs::partition::{Limits, Pool, Wishes, solve};

/// Minimum number of repeats, time limit for more repeats (which exclude interference from other processes), and time
/// above which a pool is split only once.
pub const REPEATS: usize = 3;
pub const MAX_REPEATS: usize = 20;
const TIME_PER_POOL: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(100);

/// Best time to split a pool into every size.
pub fn time(pool: &Pool, wishes: &Wishes, at_least: usize) -> Duration {
    let limits = Limits::default();
    best(at_least, || {
        black_box(solve(black_box(pool), black_box(wishes), &limits));
    })
}

/// Best time of at least `at_least` repeats, or the only time of a long run.
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

/// Results for the pools of one kind.
#[derive(Debug, Default)]
pub struct Measured {
    /// Best time of each pool, with the pool's seed.
    times: Vec<(Duration, u64)>,
    splits: usize,
    proven: usize,
}

impl Measured {
    /// Splits the pools of these seeds: at least `least`, and more until `time` is over.
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

    pub fn pools(&self) -> usize {
        self.times.len()
    }

    /// Percentile of the times, in milliseconds.
    pub fn percentile(&self, percent: usize) -> f64 {
        let last = self.times.len() - 1;
        milliseconds(self.times[(last * percent).div_ceil(100)].0)
    }

    /// Seed of the slowest pool.
    pub fn seed_of_worst(&self) -> u64 {
        self.times[self.times.len() - 1].1
    }

    /// Percentage of splits proven optimal, rounded down.
    pub fn proven(&self) -> usize {
        100 * self.proven / self.splits
    }
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
