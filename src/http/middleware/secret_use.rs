//! Use counters of secrets, which show the secrets that nobody uses any more.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::domain::Timestamp;

/// Number of requests with a secret, and the time of the last one. Counting never blocks a request.
#[derive(Debug)]
pub(super) struct SecretUse {
    /// Time of the last request with a secret in unix microseconds, or [`NEVER`].
    last: AtomicI64,
    requests: AtomicU64,
}

const NEVER: i64 = i64::MIN;

impl Default for SecretUse {
    fn default() -> Self {
        Self {
            last: AtomicI64::new(NEVER),
            requests: AtomicU64::new(0),
        }
    }
}

impl SecretUse {
    pub(super) fn note(&self, at: Timestamp) {
        // The two figures are independent, so their order does not matter.
        self.last.fetch_max(at.unix_micros(), Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn last(&self) -> Option<Timestamp> {
        let last = Some(self.last.load(Ordering::Relaxed)).filter(|last| *last != NEVER);
        last.and_then(|last| Timestamp::from_unix_micros(last).ok())
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_use_counts_whichever_is_noted_last() {
        let used = SecretUse::default();
        assert_eq!((used.last(), used.requests()), (None, 0));
        for second in [5, 7, 6] {
            used.note(Timestamp::from_unix_seconds(second).unwrap());
        }
        let last = Timestamp::from_unix_seconds(7).unwrap();
        assert_eq!((used.last(), used.requests()), (Some(last), 3));
    }
}
