//! What came: rounds, changes, and the constants that they were rated by.

use super::{Inner, Tx, within};
use crate::domain::{ChangeId, PlayerId, RoundId, ServerName, Timestamp};
use crate::rating::Parameters;
use crate::store::{
    Change, LoggedRound, PoolId, RecordedRound, RoundFilter, SettingsId, StoreError, postgres,
    sqlite,
};

impl Tx {
    /// Those of the named rounds that are in the log already, with the pool that they are in.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds(
        &mut self,
        names: &[(ServerName, RoundId)],
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, find_rounds(names))
    }

    /// Writes new rounds into a pool's log.
    ///
    /// # Errors
    /// As every query; [`StoreError::Duplicate`] where another instance has just counted one.
    pub async fn insert_rounds(
        &mut self,
        pool: PoolId,
        rounds: &[&LoggedRound],
    ) -> Result<(), StoreError> {
        run!(self, insert_rounds(pool, rounds))
    }

    /// Notes where a round was voided, or that it counts.
    ///
    /// # Errors
    /// As every query.
    pub async fn mark_round(
        &mut self,
        pool: PoolId,
        position: u64,
        voided_at: Option<u64>,
    ) -> Result<(), StoreError> {
        run!(self, rounds::mark(pool, position, voided_at))
    }

    /// Up to `limit` of the pool's rounds that the filter lets pass, in descending order of when
    /// they ended and of their place in the log, from behind the one `before` on.
    ///
    /// # Errors
    /// As every query.
    pub async fn list_rounds(
        &mut self,
        pool: PoolId,
        filter: &RoundFilter,
        before: Option<(Timestamp, u64)>,
        limit: u32,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, rounds::list(pool, filter, before, limit))
    }

    /// The player's latest rounds, the latest first.
    ///
    /// # Errors
    /// As every query.
    pub async fn latest_rounds(
        &mut self,
        pool: PoolId,
        player: PlayerId,
        limit: u32,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, rounds::latest_of_player(pool, player, limit))
    }

    /// Up to `limit` rounds behind `position` in the pool's log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds_after(
        &mut self,
        pool: PoolId,
        position: u64,
        limit: u32,
    ) -> Result<Vec<LoggedRound>, StoreError> {
        run!(self, rounds::after(pool, position, limit))
    }

    /// The voids and restorations of the pool's rounds from the place `first` to the place `last` of
    /// its log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn changes_of_rounds(
        &mut self,
        pool: PoolId,
        first: u64,
        last: u64,
    ) -> Result<Vec<Change>, StoreError> {
        run!(self, changes::of_rounds(pool, first, last))
    }

    /// Up to `limit` changes behind `position` in the pool's log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn changes_after(
        &mut self,
        pool: PoolId,
        position: u64,
        limit: u32,
    ) -> Result<Vec<Change>, StoreError> {
        run!(self, changes::after(pool, position, limit))
    }

    /// The change of that name, if it has been made already, and the pool it was made in.
    ///
    /// # Errors
    /// As every query.
    pub async fn change(
        &mut self,
        change_id: &ChangeId,
    ) -> Result<Option<(PoolId, Change)>, StoreError> {
        run!(self, changes::find(change_id))
    }

    /// Writes a new change.
    ///
    /// # Errors
    /// As every query; [`StoreError::Duplicate`] where one of that name is there.
    pub async fn insert_change(&mut self, pool: PoolId, change: &Change) -> Result<(), StoreError> {
        run!(self, changes::insert(pool, change))
    }

    /// The key of a set of constants, written if it is not there yet.
    ///
    /// # Errors
    /// As every query.
    pub async fn ensure_settings(
        &mut self,
        parameters: &Parameters,
    ) -> Result<SettingsId, StoreError> {
        run!(self, settings::ensure(parameters))
    }

    /// Every set of constants that anything was rated by, in whichever pool: there are few, and whose
    /// they are only the whole log tells.
    ///
    /// # Errors
    /// As every query.
    pub async fn settings(&mut self) -> Result<Vec<(SettingsId, Parameters)>, StoreError> {
        run!(self, settings::list())
    }
}
