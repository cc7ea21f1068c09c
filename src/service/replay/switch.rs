//! A pool is computed again from its log, by its own model or by another.

use std::time::Instant;

use super::rebuild::{Rebuilt, Watch};
use crate::rating::ModelName;
use crate::service::audit::Author;
use crate::service::{Service, ServiceError};
use crate::store::PoolRecord;

impl Service {
    /// Computes the pool of that name again from its log, while everything else goes on, and
    /// makes the result the active projection.
    ///
    /// # Errors
    /// A pool that the database does not have; another rebuild of it under way; a log that cannot
    /// be replayed. The ratings are then as they were.
    pub async fn rebuild(
        &self,
        pool: &PoolRecord,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        self.compute_by(None, pool, by, watch).await
    }

    /// Rates the pool by another model from the first round of its log on, as if it had never been rated by the
    /// one before: its ratings are those of the other from one moment to the next. The same again undoes it.
    ///
    /// # Errors
    /// As of [`Service::rebuild`]; a pool that is rated by that model already, or whose rounds are pruned.
    pub async fn switch_model(
        &self,
        pool: &PoolRecord,
        to: ModelName,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        if pool.model == to {
            return Err(ServiceError::ModelInForce(pool.name.clone(), to));
        }
        if pool.pruned > 0 {
            return Err(ServiceError::PrunedPool(pool.name.clone()));
        }
        self.compute_by(Some(to), pool, by, watch).await
    }

    async fn compute_by(
        &self,
        to: Option<ModelName>,
        pool: &PoolRecord,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        let started = Instant::now();
        let done = Box::pin(self.rebuild_with(pool, (to, None), by, watch)).await?;
        let took = started.elapsed();
        let (mut position, pruned) = (0, pool.pruned);
        if let Some((reached, generation)) = done {
            position = reached;
            self.clear_retired(pool, generation).await;
            self.refresh_statistics().await;
        }
        Ok(Rebuilt {
            computed: position.saturating_sub(pruned),
            took,
        })
    }
}
