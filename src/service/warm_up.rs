//! Lists that are read ahead of whoever asks for them.

use std::collections::HashSet;
use std::time::Duration;

use crate::domain::Timestamp;
use crate::service::replay::lease::lease_cutoff;
use crate::service::{Pool, Service, ServiceError};
use crate::store::Generation;

/// How often it is looked which pools are due.
const PAUSE: Duration = Duration::from_mins(1);
/// After how long all of a pool is read anew: what its lists keep leaves little to be read until then, and what may be
/// wrong in it does not stay.
const KEPT: Duration = Duration::from_hours(1);

/// Lists that were read ahead.
#[derive(Debug)]
pub(super) struct WarmUp {
    generation: Generation,
    at: Timestamp,
}

impl WarmUp {
    /// Whether there is no need for the `next` one yet.
    fn suffices(&self, next: &Self) -> bool {
        let is_recent = self.at <= next.at && next.at < self.at.later(KEPT);
        is_recent && self.generation == next.generation
    }
}

impl Service {
    /// Keeps the lists of all pools warm from now on, until the service is closed.
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
                                    "The lists of the pool cannot be read ahead; trying again until they can"
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

    /// Reads what the dashboard's lists of `pool` take longest for: the latest rounds, and what its players are sorted by.
    /// Lists leave both behind for the next ones, so that is `false`, and nothing is read, where it was done within the
    /// last hour, and no void or rebuild has changed it since; nor while one or a prune runs, which leaves rounds little of
    /// the processors to share.
    ///
    /// Nothing depends on it: a list that is asked for before waits for it, or reads itself what is missing.
    pub async fn warm_up_lists(&self, pool: &Pool) -> Result<bool, ServiceError> {
        let mut last = pool.warm_up.lock().await;
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let is_under_way = tx.rebuild(pool.id, lease_cutoff(now)).await?.is_some();
        let this = WarmUp {
            generation: tx.pool(pool.id).await?.generation,
            at: now,
        };
        drop(tx);
        if is_under_way || last.as_ref().is_some_and(|last| last.suffices(&this)) {
            return Ok(false);
        }
        let _kept_with_the_pool = Box::pin(self.quality_report(pool)).await?;
        pool.player_table.lock().await.forget();
        self.warm_up_player_table(pool).await?;
        *last = Some(this);
        Ok(true)
    }
}
