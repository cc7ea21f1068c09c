//! Background reading of slow lists of players and rounds into caches, before anybody asks for them.

use std::collections::HashSet;
use std::time::Duration;

use crate::domain::Timestamp;
use crate::service::replay::lease::lease_cutoff;
use crate::service::{Pool, Service, ServiceError};
use crate::store::Generation;

/// Interval between checks for pools whose dashboard lists, of players and latest rounds, must be cached again.
const PAUSE: Duration = Duration::from_mins(1);
/// Age at which the cached players and latest rounds of a pool, which the dashboard lists, are read again. Rereading
/// costs little and corrects stale data.
const KEPT: Duration = Duration::from_hours(1);

/// Version of the rows that a warm-up read, and its time.
pub(super) type WarmUp = (Generation, Timestamp);

impl Service {
    /// Reads the dashboard's lists of players and latest rounds into caches, for all pools. Repeats this in the
    /// background until the service is closed.
    pub fn keep_lists_warm(&self) {
        let service = self.clone();
        self.rebuilds.spawn(async move {
            let mut failing = HashSet::new();
            loop {
                for pool in service.pools.now().all() {
                    let warming_up = Box::pin(service.warm_up_lists(pool));
                    match service.rebuilds.unless_stopped(warming_up).await {
                        None => return,
                        Some(Ok(false)) => {}
                        Some(Ok(true)) => drop(failing.remove(&pool.name)),
                        Some(Err(error)) => {
                            if failing.insert(pool.name.clone()) {
                                tracing::warn!(
                                    error = ?error, pool = %pool.name,
                                    "Cannot preload the pool's player and round lists for the dashboard; retrying"
                                );
                            }
                        }
                    }
                }
                if !service.rebuilds.pause(PAUSE).await {
                    break;
                }
            }
        });
    }

    /// Reads the slow parts of the dashboard's lists of `pool`: the latest rounds, and the sort keys of its players.
    /// Requests for the lists do not depend on a warm-up; they only become faster.
    ///
    /// Returns `false` and reads nothing if a warm-up happened within the last hour and the pool was not rebuilt since,
    /// or while a rebuild or prune of the pool is in progress.
    pub async fn warm_up_lists(&self, pool: &Pool) -> Result<bool, ServiceError> {
        let mut last = pool.warm_up.lock().await;
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let is_in_progress = tx.rebuild(pool.id, lease_cutoff(now)).await?.is_some();
        let generation = tx.pool(pool.id).await?.generation;
        drop(tx);
        let is_warm =
            last.is_some_and(|(of, at)| of == generation && at <= now && now < at.later(KEPT));
        if is_in_progress || is_warm {
            return Ok(false);
        }
        let _kept_with_the_pool = Box::pin(self.quality_report(pool)).await?;
        pool.player_table.lock().await.forget();
        self.warm_up_player_table(pool).await?;
        *last = Some((generation, now));
        Ok(true)
    }
}
