use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::Store;

/// For how long transactions may follow one another.
const WRITING: Duration = Duration::from_millis(75);

/// The pauses of whoever writes a lot, so that other processes can write where one writes at a time.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// How long the transactions since the last pause have taken.
    written: Mutex<Duration>,
}

impl Pauses {
    /// Pauses, if it is time to, behind the transaction that began then and has ended.
    pub(crate) async fn pause(&self, store: &Store, began: Instant) {
        let written = self.add(began.elapsed());
        if written >= WRITING {
            store.let_others_write(written).await;
        }
    }

    /// Answers how long the transactions have taken with this one, and begins anew where a pause is due.
    fn add(&self, took: Duration) -> Duration {
        // No code that could panic runs under the lock.
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = *written + took;
        *written = if sum < WRITING { sum } else { Duration::ZERO };
        sum
    }
}
