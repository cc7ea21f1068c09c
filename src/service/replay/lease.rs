//! Leases, timeouts and pauses of rebuilds and prunes, which write to the database beside other requests.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::cleanup::CleanupScope;
use crate::domain::{PoolName, Progress, Timestamp};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{PoolId, PoolRecord, Store, StoreError, Tx};

/// Number of attempts to begin a transaction while the database is unavailable.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// Time without a renewal after which a rebuild counts as dead.
const LEASE: Duration = Duration::from_secs(15);

/// Interval between checks of the lease of a rebuild whose process may be dead.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Minimum database timeout during a rebuild, even if the timeout of the service is shorter.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Exclusive right of this process to rebuild or prune a pool. Consists of a row in `rebuilds`, which every transaction
/// of the rebuild renews.
#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) service: Service,
    pub(super) store: Store,
    pub(super) pool: PoolId,
    pub(super) name: PoolName,
    pub(super) owner: String,
    /// Pauses between write transactions, shared by all tasks of the rebuild.
    pauses: Arc<Pauses>,
    /// `true` if a write of the rebuild has kept other requests waiting since the flag was last read.
    pub(super) had_waiters: Arc<AtomicBool>,
}

impl Lease {
    /// Creates the lease of a rebuild or prune of `pool`. The lease takes effect when its row is written.
    pub(super) fn new(service: &Service, pool: &PoolRecord) -> Result<Self, ServiceError> {
        Ok(Self {
            service: service.clone(),
            store: with_batch_timeout(&service.store),
            pool: pool.id,
            name: pool.name.clone(),
            owner: random::hex::<16>().map_err(ServiceError::internal)?,
            pauses: Arc::default(),
            had_waiters: Arc::default(),
        })
    }

    /// Begins a transaction of the rebuild for rows that nobody reads yet, and renews the lease.
    pub(super) async fn begin_deferred(&self, progress: Progress) -> Result<Tx, ServiceError> {
        self.check_running()?;
        let mut tx = begin_deferred(&self.store).await?;
        self.renew(&mut tx, progress).await?;
        Ok(tx)
    }

    /// Renews the rebuild's lease in `tx` and records the progress. Fails if the rebuild was cancelled or taken over.
    pub(super) async fn renew(&self, tx: &mut Tx, progress: Progress) -> Result<(), ServiceError> {
        let owned = (self.owner.as_str(), self.service.clock.now());
        match tx.advance_rebuild(self.pool, owned, progress).await? {
            Some(false) => Ok(()),
            Some(true) => Err(ServiceError::RebuildCancelled(self.name.clone())),
            None => Err(self.lost()),
        }
    }

    pub(super) async fn pause(&self, began: Instant) {
        self.pauses.pause(&self.store, began).await;
    }

    /// Checks that the rebuild may continue: returns an error if the service is stopping.
    pub(super) fn check_running(&self) -> Result<(), ServiceError> {
        if self.service.rebuilds.are_stopped() {
            return Err(ServiceError::RebuildStopped(self.name.clone()));
        }
        Ok(())
    }

    pub(super) fn is_serving_rounds(&self) -> bool {
        self.service.queue.has_recent_rounds()
    }

    /// Deletes the rows of an unfinished rebuild, of this process or an earlier one.
    pub(super) async fn clear_unfinished(&self) -> Result<(), ServiceError> {
        if self.clear_rows().await? {
            return Ok(());
        }
        self.check_running()?;
        Err(self.lost())
    }

    /// Deletes the rows of this rebuild and releases the lease. If this fails, the next rebuild deletes the rows.
    pub(super) async fn give_up(&self) {
        if let Err(error) = self.clear_and_end().await {
            tracing::warn!(
                error = ?error, pool = %self.name, "Cannot delete the rows of an abandoned rebuild; the next rebuild deletes them"
            );
        }
    }

    async fn clear_and_end(&self) -> Result<(), ServiceError> {
        let is_done = self.clear_rows().await?;
        let of_pool = (self.pool, self.owner.as_str());
        self.service
            .end_rebuild(&self.store, of_pool, is_done)
            .await
    }

    async fn clear_rows(&self) -> Result<bool, ServiceError> {
        let owner = &self.owner;
        let scope = CleanupScope::Unfinished { owner };
        self.service.clear(&self.store, self.pool, scope).await
    }

    fn lost(&self) -> ServiceError {
        ServiceError::RebuildLost(self.name.clone())
    }
}

impl Service {
    /// Waits until the lease of a dead rebuild of `pool` expires, for at most `lease_wait`. Returns at once if no
    /// rebuild is in progress, and as soon as a rebuild renews its lease.
    pub(crate) async fn outwait_dead_rebuild(&self, pool: PoolId) -> Result<(), ServiceError> {
        let deadline = Instant::now() + self.lease_wait;
        let mut first = None;
        loop {
            let mut tx = self.store.begin_read().await?;
            let rebuild = tx.rebuild(pool, lease_cutoff(self.clock.now())).await?;
            drop(tx);
            let is_silent = rebuild.is_some() && (first.is_none() || first == rebuild);
            if !is_silent || Instant::now() >= deadline || !self.rebuilds.pause(LOOK_EVERY).await {
                return Ok(());
            }
            first = rebuild;
        }
    }
}

/// Returns `store` with the database timeout of a rebuild, at least ten seconds.
pub(crate) fn with_batch_timeout(store: &Store) -> Store {
    match store.timeout() {
        Some(timeout) => store.with_timeout(timeout.max(TIMEOUT)),
        None => store.clone(),
    }
}

/// Returns the oldest renewal time of a rebuild's lease that is still valid at `now`.
pub(crate) fn lease_cutoff(now: Timestamp) -> Timestamp {
    now.earlier(LEASE)
}

/// Begins a write transaction, and retries while the database is unavailable or full. So the results of a long
/// computation survive another process that holds SQLite's only write lock.
pub(crate) async fn begin(store: &Store) -> Result<Tx, StoreError> {
    insist(|| store.begin()).await
}

/// Begins a transaction for rows that nobody reads yet, with the retries of [`begin`]. Its commit does not wait for the
/// disk: the commit that activates the rows also makes them durable.
pub(crate) async fn begin_deferred(store: &Store) -> Result<Tx, StoreError> {
    insist(|| store.begin_deferred()).await
}

async fn insist<Begun>(begin: impl Fn() -> Begun) -> Result<Tx, StoreError>
where
    Begun: Future<Output = Result<Tx, StoreError>>,
{
    for _ in 1..TRIES {
        match begin().await {
            Err(StoreError::Unavailable(_) | StoreError::DiskFull(_) | StoreError::TimedOut) => {
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
    begin().await
}

/// Total duration of write transactions of a background task after which the task pauses.
const WRITING: Duration = Duration::from_millis(75);

/// Pauses of a task that writes a lot. They let other processes write to a database that allows one writer at a time.
#[derive(Debug, Default)]
pub(crate) struct Pauses(Mutex<Duration>);

impl Pauses {
    /// Pauses a background task after its write transaction that began at `began`, if a pause is due.
    pub(crate) async fn pause(&self, store: &Store, began: Instant) {
        let written = {
            let mut written = self.0.lock();
            *written += began.elapsed();
            if *written < WRITING {
                return;
            }
            std::mem::take(&mut *written)
        };
        store.let_others_write(written).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::replay::testing;

    #[tokio::test]
    async fn a_rebuild_learns_that_rounds_come() {
        let folder = tempfile::tempdir().unwrap();
        let service = testing::open(folder.path()).await;
        let pool = service.pool(None, None).unwrap().id;
        let record = service.store.begin_read().await.unwrap().pool(pool).await;
        let lease = Lease::new(&service, &record.unwrap()).unwrap();
        assert!(!lease.is_serving_rounds(), "none has come");
        testing::record(&service, "1", [1, 2]).await;
        assert!(lease.is_serving_rounds());
        service.close().await;
    }
}
