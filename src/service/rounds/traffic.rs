use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For how long after a round others are expected: one server plays few, many servers play one after the other.
const EXPECTED: Duration = Duration::from_secs(10);

/// Whether rounds are sent to this process, of whichever pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// When the last round came.
    last: Arc<Mutex<Option<Instant>>>,
}

impl Traffic {
    /// Notes that a round came at `now`.
    pub(crate) fn note(&self, now: Instant) {
        // No code that could panic runs under the lock.
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }

    /// Whether a round came within the ten seconds before `now`.
    pub(crate) fn is_recent(&self, now: Instant) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| now.saturating_duration_since(last) < EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_expected_for_ten_seconds_after_a_round() {
        let traffic = Traffic::default();
        let came = Instant::now();
        assert!(!traffic.is_recent(came), "none has come");
        traffic.note(came);
        assert!(traffic.is_recent(came));
        let end = came + Duration::from_secs(10);
        assert!(traffic.is_recent(end.checked_sub(Duration::from_micros(1)).unwrap()));
        assert!(!traffic.is_recent(end));
    }
}
