//! How a projection is written while others write too: leases and time limits.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::cleanup::Unneeded;
use crate::domain::{PoolName, Progress, Timestamp};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{PoolId, PoolRecord, Store, StoreError, Tx};

/// How often a transaction is begun that cannot be at the moment, and the pause before each.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// How long a rebuild may be silent until it counts as dead.
const LEASE: Duration = Duration::from_secs(15);

/// Interval between two looks at a lease that may be of a dead process.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How long one unit of work of a rebuild may take at least, whatever the service's own limit is.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What makes this process the one that rebuilds or prunes a pool: its row in `rebuilds`, which every transaction of it
/// renews.
#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) service: Service,
    /// The service's, with the time limit of a rebuild.
    pub(super) store: Store,
    pub(super) pool: PoolId,
    pub(super) name: PoolName,
    pub(super) owner: String,
    /// The pauses between the transactions of all its tasks.
    pauses: Arc<Pauses>,
    /// Whether somebody has waited for a transaction that wrote rows, since this was last asked.
    pub(super) was_awaited: Arc<AtomicBool>,
}

impl Lease {
    /// A lease of `pool`, which counts once its row is written.
    pub(super) fn new(service: &Service, pool: &PoolRecord) -> Result<Self, ServiceError> {
        Ok(Self {
            service: service.clone(),
            store: with_batch_timeout(&service.store),
            pool: pool.id,
            name: pool.name.clone(),
            owner: random::hex::<16>().map_err(ServiceError::internal)?,
            pauses: Arc::default(),
            was_awaited: Arc::default(),
        })
    }

    /// Begins to write rows that nobody reads yet, where the rebuild is still to go on, and notes how far it is.
    pub(super) async fn begin_ahead(&self, progress: Progress) -> Result<Tx, ServiceError> {
        self.check_running()?;
        let mut tx = begin_ahead(&self.store).await?;
        self.renew(&mut tx, progress).await?;
        Ok(tx)
    }

    /// Notes in `tx` that the rebuild goes on, and how far it is.
    ///
    /// # Errors
    /// Where it was called off, or somebody else took over.
    pub(super) async fn renew(&self, tx: &mut Tx, progress: Progress) -> Result<(), ServiceError> {
        let owned = (self.owner.as_str(), self.service.clock.now());
        match tx.advance_rebuild(self.pool, owned, progress).await? {
            Some(false) => Ok(()),
            Some(true) => Err(ServiceError::RebuildCancelled(self.name.clone())),
            None => Err(self.lost()),
        }
    }

    /// Pauses, if it is time to, behind the transaction that began then and has ended.
    pub(super) async fn pause(&self, began: Instant) {
        self.pauses.pause(&self.store, began).await;
    }

    /// # Errors
    /// Where the service stops.
    pub(super) fn check_running(&self) -> Result<(), ServiceError> {
        if self.service.rebuilds.are_stopped() {
            return Err(ServiceError::RebuildStopped(self.name.clone()));
        }
        Ok(())
    }

    /// Whether rounds come to this process meanwhile.
    pub(super) fn is_beside_rounds(&self) -> bool {
        self.service.queue.traffic().is_recent(Instant::now())
    }

    /// Deletes what a rebuild has written that did not end, this one or one before.
    pub(super) async fn clear_unfinished(&self) -> Result<(), ServiceError> {
        if self.clear_rows().await? {
            return Ok(());
        }
        self.check_running()?;
        Err(self.lost())
    }

    /// Gives up: deletes what was written, and lets another begin. Where that fails, the next deletes it.
    pub(super) async fn give_up(&self) {
        if let Err(error) = self.clear_and_end().await {
            tracing::warn!(
                error = ?error, pool = %self.name, "Rows of a rebuild that was given up stay until the next"
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
        let unneeded = Unneeded::Unfinished { owner };
        self.service.clear(&self.store, self.pool, unneeded).await
    }

    fn lost(&self) -> ServiceError {
        ServiceError::RebuildLost(self.name.clone())
    }
}

impl Service {
    /// Waits for the end of a rebuild of `pool` whose process died: until its lease expires, for at most `lease_wait`.
    /// Returns at once if no rebuild is under way, and as soon as one shows a sign of life.
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
            Err(StoreError::Unavailable(_) | StoreError::DiskFull(_) | StoreError::TimedOut) => {
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
    begin().await
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::replay::testing;

    /// Nothing but the latency of rounds beside a rebuild shows it.
    #[tokio::test]
    async fn a_rebuild_learns_that_rounds_come() {
        let folder = tempfile::tempdir().unwrap();
        let service = testing::open(folder.path()).await;
        let pool = service.pool(None, None).unwrap().id;
        let record = service.store.begin_read().await.unwrap().pool(pool).await;
        let lease = Lease::new(&service, &record.unwrap()).unwrap();
        assert!(!lease.is_beside_rounds(), "none has come");
        testing::record(&service, "1", [1, 2]).await;
        assert!(lease.is_beside_rounds());
        service.close().await;
    }
}
