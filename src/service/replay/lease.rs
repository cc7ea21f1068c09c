//! What whoever writes a projection beside the service minds: the others who write, and who else may.

use std::time::{Duration, Instant};

use crate::domain::Timestamp;
use crate::store::{Store, StoreError, Tx};

/// How often a transaction is begun that cannot be at the moment, and the pause before each.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// How long a rebuild may not be heard of until it counts as dead.
const LEASE: Duration = Duration::from_mins(1);

/// How long one unit of work of what computes a lot may take, however impatient the service is.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The database as whoever computes a lot uses it.
pub(crate) fn with_batch_timeout(store: &Store) -> Store {
    match store.timeout() {
        Some(timeout) => store.with_timeout(timeout.max(TIMEOUT)),
        None => store.clone(),
    }
}

/// Who was last heard of before this moment counts as dead.
pub(crate) fn lease_cutoff(now: Timestamp) -> Timestamp {
    now.earlier(LEASE)
}

/// Begins to write, and tries again where the database has no room for it at the moment: what took
/// long to compute is not thrown away because another process held SQLite's only lock.
pub(crate) async fn begin(store: &Store) -> Result<Tx, StoreError> {
    for _ in 1..TRIES {
        match store.begin().await {
            Err(StoreError::Unavailable(_) | StoreError::TimedOut) => {
                tokio::time::sleep(PAUSE).await;
            }
            begun => return begun,
        }
    }
    store.begin().await
}

/// Lets others write where one writes at a time.
pub(crate) async fn yield_to_writers(store: &Store, since: Instant) {
    if store.has_one_writer() {
        tokio::time::sleep(since.elapsed() / 4).await;
    }
}
