//! When each secret was last used, so that one that nobody uses any more can be taken away.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::domain::Timestamp;

/// How often a secret has been used, and when last. No request waits for another to note it.
#[derive(Debug)]
pub(super) struct SecretUse {
    /// In microseconds, [`NEVER`] before the first time.
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
    /// Notes a request at that time.
    pub(super) fn note(&self, at: Timestamp) {
        // Each figure stands for itself, so their order does not matter.
        self.last.fetch_max(at.unix_micros(), Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// When the last request came; `None` before the first.
    pub(super) fn last(&self) -> Option<Timestamp> {
        let last = Some(self.last.load(Ordering::Relaxed)).filter(|last| *last != NEVER);
        last.and_then(|last| Timestamp::from_unix_micros(last).ok())
    }

    /// How many requests came.
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
