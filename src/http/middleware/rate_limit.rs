use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::config::RateLimit;

/// The most seconds that `Retry-After` has a client wait.
const LONGEST_WAIT: f64 = 86_400.0;

/// Lets so many requests through a second, and a burst of them after a pause.
#[derive(Debug)]
pub(crate) struct Bucket {
    limit: RateLimit,
    filled: Mutex<Filled>,
}

/// How many requests the bucket held, and when, counted from a moment that stays the same.
#[derive(Clone, Copy, Debug)]
struct Filled {
    requests: f64,
    at: Duration,
}

impl Bucket {
    /// A full bucket.
    pub(crate) fn new(limit: RateLimit) -> Self {
        let filled = Filled {
            requests: f64::from(limit.burst),
            at: Duration::ZERO,
        };
        Self {
            limit,
            filled: Mutex::new(filled),
        }
    }

    /// Takes one request out at `now`.
    ///
    /// # Errors
    /// Where there is none, the whole seconds until there is, at least 1.
    pub(crate) fn take(&self, now: Duration) -> Result<(), u32> {
        // No code that could panic runs under the lock.
        let mut filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        // Requests race for the lock, so one may come with an earlier moment than the one before.
        let passed = now.saturating_sub(filled.at).as_secs_f64();
        let requests = filled.requests + passed * self.limit.per_second;
        let requests = requests.min(f64::from(self.limit.burst));
        filled.at = filled.at.max(now);
        if requests < 1.0 {
            filled.requests = requests;
            let wait = ((1.0 - requests) / self.limit.per_second).ceil();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to a day"
            )]
            return Err(wait.clamp(1.0, LONGEST_WAIT) as u32);
        }
        filled.requests = requests - 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(per_second: f64, burst: u32) -> Bucket {
        Bucket::new(RateLimit { per_second, burst })
    }

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_burst_passes_and_then_as_many_as_the_rate_allows() {
        let bucket = bucket(2.0, 3);
        for _ in 0..3 {
            assert_eq!(bucket.take(at(1000)), Ok(()));
        }
        assert_eq!(bucket.take(at(1000)), Err(1));
        assert_eq!(bucket.take(at(1499)), Err(1));
        assert_eq!(bucket.take(at(1500)), Ok(()));
        assert_eq!(bucket.take(at(1501)), Err(1));
        // After a pause however long, a burst and no more.
        for _ in 0..3 {
            assert_eq!(bucket.take(at(1_000_000)), Ok(()));
        }
        assert_eq!(bucket.take(at(1_000_000)), Err(1));
    }

    #[test]
    fn a_refusal_says_how_long_to_wait_and_that_is_enough() {
        let slow = bucket(0.1, 1);
        assert_eq!(slow.take(at(0)), Ok(()));
        assert_eq!(slow.take(at(0)), Err(10));
        assert_eq!(slow.take(at(3500)), Err(7));
        assert_eq!(slow.take(at(10_000)), Ok(()));
        assert_eq!(bucket(1e-9, 1).take(at(0)), Ok(()));
    }

    #[test]
    fn to_be_refused_costs_nothing() {
        let bucket = bucket(1.0, 1);
        assert_eq!(bucket.take(at(0)), Ok(()));
        for millisecond in 0..1000 {
            assert_eq!(bucket.take(at(millisecond)), Err(1));
        }
        assert_eq!(bucket.take(at(1001)), Ok(()));
    }

    #[test]
    fn moments_out_of_order_give_nothing_away() {
        let bucket = bucket(1.0, 2);
        assert_eq!(bucket.take(at(5000)), Ok(()));
        assert_eq!(bucket.take(at(0)), Ok(()));
        assert_eq!(bucket.take(at(5000)), Err(1));
        assert_eq!(bucket.take(at(6000)), Ok(()));
    }

    #[test]
    fn nobody_has_to_wait_for_more_than_a_day() {
        let bucket = bucket(1e-9, 1);
        assert_eq!(bucket.take(at(0)), Ok(()));
        assert_eq!(bucket.take(at(0)), Err(86_400));
    }
}
