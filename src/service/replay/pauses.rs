use std::time::{Duration, Instant};

use crate::store::Store;

/// A timer's pause may be a millisecond longer than it is asked for: shorter ones than this are put together.
const SHORTEST: Duration = Duration::from_millis(5);

/// The pauses of a task that writes a lot, so that other processes can write where one writes at a time: a quarter of
/// the time that its transactions take.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    due: Duration,
}

impl Pauses {
    /// Pauses for the transaction that began then and has ended.
    pub(crate) async fn pause(&mut self, store: &Store, began: Instant) {
        if !store.has_one_writer() {
            return;
        }
        self.due += began.elapsed() / 4;
        if self.due >= SHORTEST {
            self.end().await;
        }
    }

    /// Makes the pause that is due still.
    pub(crate) async fn end(&mut self) {
        let due = std::mem::take(&mut self.due);
        if !due.is_zero() {
            tokio::time::sleep(due).await;
        }
    }
}
