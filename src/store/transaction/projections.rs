//! What was computed: projections, and what they say of the rounds.

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::rating::PredictionTotals;
use crate::store::{PoolId, ProjectionId, RoundResult, StoreError, postgres, sqlite};

impl Tx {
    /// Writes what a projection says of rounds.
    ///
    /// # Errors
    /// As every query.
    pub async fn insert_results(
        &mut self,
        projection: ProjectionId,
        results: &[&RoundResult],
    ) -> Result<(), StoreError> {
        run!(self, insert_results(projection, results))
    }

    /// The pool's sums up to its round of that `number` (from 1), or `None` where there is none.
    ///
    /// # Errors
    /// As every query.
    pub async fn predictions_at(
        &mut self,
        pool: PoolId,
        number: u64,
    ) -> Result<Option<PredictionTotals>, StoreError> {
        run!(self, results::predictions_at(pool, number))
    }

    /// Up to `limit` of what the active projection says of the rounds behind `position` in the pool's
    /// log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn results_after(
        &mut self,
        pool: PoolId,
        position: u64,
        limit: u32,
    ) -> Result<Vec<RoundResult>, StoreError> {
        run!(self, results::after(pool, position, limit))
    }

    /// Begins a projection of the pool, which `owner` computes from `now` on; with it the round at that
    /// place of the log is voided, or restored, where one is `marked`.
    ///
    /// # Errors
    /// As every query.
    pub async fn begin_projection(
        &mut self,
        pool: PoolId,
        owned: (&str, Timestamp),
        marked: Option<(u64, bool)>,
    ) -> Result<ProjectionId, StoreError> {
        run!(self, projections::begin(pool, owned, marked))
    }

    /// Whether the round at `position` of the pool's log is being voided (`true`) or restored, by a
    /// projection whose owner was heard of since `lease_cutoff`.
    ///
    /// # Errors
    /// As every query.
    pub async fn mark_under_way(
        &mut self,
        pool: PoolId,
        position: u64,
        lease_cutoff: Timestamp,
    ) -> Result<Option<bool>, StoreError> {
        run!(
            self,
            projections::mark_under_way(pool, position, lease_cutoff)
        )
    }

    /// Says that `owner` still works on a projection; `false` where it is no longer theirs. Until this unit
    /// of work ends, nobody else can take it.
    ///
    /// # Errors
    /// As every query.
    pub async fn renew_projection(
        &mut self,
        projection: ProjectionId,
        owner: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        run!(self, projections::renew(projection, owner, now))
    }

    /// Says that a projection is complete; `false` where it is no longer the owner's.
    ///
    /// # Errors
    /// As every query.
    pub async fn finish_projection(
        &mut self,
        projection: ProjectionId,
        owner: &str,
    ) -> Result<bool, StoreError> {
        run!(self, projections::finish(projection, owner))
    }

    /// Whether anybody who was heard of since then computes a projection of the pool.
    ///
    /// # Errors
    /// As every query.
    pub async fn is_computed(
        &mut self,
        pool: PoolId,
        lease_cutoff: Timestamp,
    ) -> Result<bool, StoreError> {
        run!(self, projections::is_computed(pool, lease_cutoff))
    }

    /// Takes every projection of the pool that is being computed away from whoever computes it.
    ///
    /// # Errors
    /// As every query.
    pub async fn disown_projections(&mut self, pool: PoolId) -> Result<(), StoreError> {
        run!(self, projections::disown(pool))
    }

    /// Takes every projection of the pool that is not in force, and that nobody works on who was heard of
    /// since then, over for clearing away.
    ///
    /// # Errors
    /// As every query.
    pub async fn claim_retired_projections(
        &mut self,
        pool: PoolId,
        owner: &str,
        lease_cutoff: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<ProjectionId>, StoreError> {
        run!(
            self,
            projections::claim_retired(pool, owner, lease_cutoff, now)
        )
    }

    /// Deletes up to `limit` rows of a projection, or, where it has none, the projection; answers whether there
    /// may be more.
    ///
    /// # Errors
    /// As every query.
    pub async fn delete_some_of_projection(
        &mut self,
        projection: ProjectionId,
        limit: u32,
    ) -> Result<bool, StoreError> {
        run!(self, projections::delete_some(projection, limit))
    }
}
