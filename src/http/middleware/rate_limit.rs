use std::time::Duration;

use parking_lot::Mutex;

use crate::config::RateLimit;

/// Maximum value of the header `Retry-After`, in seconds (one day).
const MAX_WAIT: f64 = 86_400.0;

/// Token bucket: allows a steady rate of requests, and a burst after a pause.
pub(crate) struct Bucket {
    limit: RateLimit,
    filled: Mutex<Filled>,
}

/// State of a token bucket: number of requests allowed, and the time since a fixed start at which it was counted.
#[derive(Clone, Copy, Debug)]
struct Filled {
    requests: f64,
    at: Duration,
}

impl Bucket {
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

    /// Takes one request out of the token bucket at the time `now`, counted from a fixed start.
    ///
    /// # Errors
    /// Returns the number of whole seconds until the next request, at least 1, if the bucket is empty.
    pub(crate) fn take(&self, now: Duration) -> Result<(), u32> {
        let mut filled = self.filled.lock();
        // Requests race for the lock, so `now` may be earlier than the time of the last one.
        let passed = now.saturating_sub(filled.at).as_secs_f64();
        let refilled = filled.requests + passed * self.limit.per_second;
        let requests = refilled.min(f64::from(self.limit.burst));
        filled.at = filled.at.max(now);
        if requests < 1.0 {
            filled.requests = requests;
            let wait = ((1.0 - requests) / self.limit.per_second).ceil();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to a day"
            )]
            return Err(wait.clamp(1.0, MAX_WAIT) as u32);
        }
        filled.requests = requests - 1.0;
        Ok(())
    }

    pub(crate) fn give_back(&self) {
        let mut filled = self.filled.lock();
        filled.requests = (filled.requests + 1.0).min(f64::from(self.limit.burst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_takes(per_second: f64, burst: u32, requests: &[(u64, Result<(), u32>)]) {
        let bucket = Bucket::new(RateLimit { per_second, burst });
        for (index, &(millisecond, expected)) in requests.iter().enumerate() {
            let taken = bucket.take(Duration::from_millis(millisecond));
            assert_eq!(taken, expected, "{index}, at {millisecond}");
        }
    }

    #[test]
    fn a_burst_passes_and_then_as_many_as_the_rate_allows() {
        let burst = |at| [(at, Ok(())), (at, Ok(())), (at, Ok(())), (at, Err(1))];
        let then = [(1499, Err(1)), (1500, Ok(())), (1501, Err(1))];
        // Even a very long pause allows no more than a burst.
        let requests = [&burst(1000), &then[..], &burst(1_000_000)].concat();
        assert_takes(2.0, 3, &requests);
    }

    #[test]
    fn a_refusal_states_how_long_to_wait_and_that_is_enough() {
        let requests = [(0, Ok(())), (0, Err(10)), (3500, Err(7)), (10_000, Ok(()))];
        assert_takes(0.1, 1, &requests);
        // Nobody has to wait for more than a day.
        assert_takes(1e-9, 1, &[(0, Ok(())), (0, Err(86_400))]);
    }

    #[test]
    fn to_be_refused_costs_nothing() {
        let refused = (0..1000).map(|millisecond| (millisecond, Err(1)));
        let requests: Vec<_> = std::iter::once((0, Ok(()))).chain(refused).collect();
        assert_takes(1.0, 1, &[&requests[..], &[(1001, Ok(()))]].concat());
    }

    #[test]
    fn moments_out_of_order_give_nothing_away() {
        let requests = [(5000, Ok(())), (0, Ok(())), (5000, Err(1)), (6000, Ok(()))];
        assert_takes(1.0, 2, &requests);
    }
}
