//! How a projection is written while others write too: leases, time limits and pauses.

use std::time::{Duration, Instant};

use crate::domain::Timestamp;
use crate::store::{Store, StoreError, Tx};

/// How often a transaction is begun that cannot be at the moment, and the pause before each.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// How long a rebuild may be silent until it counts as dead.
const LEASE: Duration = Duration::from_secs(15);

/// How long one unit of work of a rebuild may take at least, whatever the service's own limit is.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The database with the time limit of a rebuild.
pub(crate) fn with_batch_timeout(store: &Store) -> Store {
    match store.timeout() {
        Some(timeout) => store.with_timeout(timeout.max(TIMEOUT)),
        None => store.clone(),
    }
}

/// A lease that was last renewed before this moment has ended.
pub(crate) fn lease_cutoff(now: Timestamp) -> Timestamp {
    now.earlier(LEASE)
}

/// Begins to write, and tries again where the database has no room for it at the moment: what took
/// long to compute is not thrown away because another process held SQLite's only lock.
pub(crate) async fn begin(store: &Store) -> Result<Tx, StoreError> {
    insist(|| store.begin()).await
}

/// The same for rows that nobody reads yet: their commit does not wait for the disk, because the one by which
/// they count makes sure of them.
pub(crate) async fn begin_ahead(store: &Store) -> Result<Tx, StoreError> {
    insist(|| store.begin_ahead()).await
}

async fn insist<Begun>(begin: impl Fn() -> Begun) -> Result<Tx, StoreError>
where
    Begun: Future<Output = Result<Tx, StoreError>>,
{
    for _ in 1..TRIES {
        match begin().await {
            Err(StoreError::Unavailable(_) | StoreError::TimedOut) => {
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
    begin().await
}

/// Lets others write where one writes at a time.
pub(crate) async fn yield_to_writers(store: &Store, since: Instant) {
    if store.has_one_writer() {
        tokio::time::sleep(since.elapsed() / 4).await;
    }
}
