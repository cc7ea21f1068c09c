//! When matches were found unbalanced in mid-round.

use std::time::Duration;

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::store::{
    Intervention, InterventionFilter, NewIntervention, PoolId, RoundEnd, StoreError, postgres,
    sqlite,
};

impl Tx {
    /// Notes an intervention. Where the same policy answered the same moves, and as many bots, for the
    /// same server at `same_since` or later, it is that one, asked for once more.
    ///
    /// # Errors
    /// As every query.
    pub async fn record_intervention(
        &mut self,
        noted: &NewIntervention,
        same_since: Timestamp,
    ) -> Result<(), StoreError> {
        run!(self, interventions::note(noted, same_since))
    }

    /// Deletes those of the oldest `at_most` interventions, of whichever pool, that were last asked
    /// for `before` that moment, or that stand `beyond` so many later ones.
    ///
    /// # Errors
    /// As every query.
    pub async fn forget_interventions(
        &mut self,
        before: Timestamp,
        beyond: u32,
        at_most: u32,
    ) -> Result<(), StoreError> {
        run!(self, interventions::forget(before, beyond, at_most))
    }

    /// Up to `limit` of the pool's interventions that the filter lets pass, those first asked for
    /// last first, from behind the one `before` (when it was first asked for, and its key) on.
    ///
    /// The round that one was in is the first of its server that counts and that ended, and came, when
    /// it was first asked for or later, but ended no later than `round_within` after.
    ///
    /// # Errors
    /// As every query.
    pub async fn list_interventions(
        &mut self,
        pool: PoolId,
        filter: &InterventionFilter,
        before: Option<(Timestamp, u64)>,
        round_within: Duration,
        limit: u32,
    ) -> Result<Vec<Intervention>, StoreError> {
        run!(
            self,
            interventions::list(pool, filter, before, round_within, limit)
        )
    }

    /// How the rounds at those places of the pool's log ended, in no particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn round_ends(
        &mut self,
        pool: PoolId,
        positions: &[u64],
    ) -> Result<Vec<RoundEnd>, StoreError> {
        run!(self, figures::round_ends(pool, positions))
    }
}
