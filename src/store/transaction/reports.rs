//! What operators look at.

use std::collections::BTreeMap;

use super::{Inner, Tx, within};
use crate::domain::{PlayerId, Rating, ServerName, Timestamp};
use crate::rating::{GroupTotals, PredictionTotals};
use crate::store::{
    Change, GroupKind, PlayerRecord, PoolId, ProjectionId, Ranked, RoundGroup, RoundPlayed,
    RoundTimes, StoreError, postgres, sqlite,
};

impl Tx {
    /// Adds to the sums of groups of rounds of a projection.
    ///
    /// # Errors
    /// As every query.
    pub async fn add_to_groups(
        &mut self,
        projection: ProjectionId,
        added: &BTreeMap<RoundGroup, GroupTotals>,
    ) -> Result<(), StoreError> {
        run!(self, figures::add_to_groups(projection, added))
    }

    /// The names and sums of up to `limit` groups of the pool's rounds of that kind, those with the
    /// most rounds first.
    ///
    /// # Errors
    /// As every query.
    pub async fn groups(
        &mut self,
        pool: PoolId,
        kind: GroupKind,
        limit: u32,
    ) -> Result<Vec<(String, GroupTotals)>, StoreError> {
        run!(self, round_groups::list(pool, kind, limit))
    }

    /// When the pool's rounds of those `numbers` (from 1) ended, and its sums up to each, in no
    /// particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn predictions_at_each(
        &mut self,
        pool: PoolId,
        numbers: &[u64],
    ) -> Result<Vec<(Timestamp, PredictionTotals)>, StoreError> {
        run!(self, figures::predictions_at_each(pool, numbers))
    }

    /// The names of the rounds at those places of the pool's log, in no particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn round_names(
        &mut self,
        pool: PoolId,
        positions: &[u64],
    ) -> Result<Vec<RoundPlayed>, StoreError> {
        run!(self, figures::round_names(pool, positions))
    }

    /// What admins changed of those players in the pool, in the order of its log.
    ///
    /// # Errors
    /// As every query.
    pub async fn changes_of_players(
        &mut self,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Vec<Change>, StoreError> {
        run!(self, figures::changes_of_players(pool, players))
    }

    /// How many rounds that count ended from `from` up to, not including, `to` on each server, in no
    /// particular order, and without those on which none did.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds_by_server(
        &mut self,
        pool: PoolId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<(ServerName, u64)>, StoreError> {
        run!(self, histories::rounds_by_server(pool, from, to))
    }

    /// For each of those places of the pool's log, in no particular order, when the round that stands
    /// there or next behind it ended and came; nothing where there is none.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds_from(
        &mut self,
        pool: PoolId,
        positions: &[u64],
    ) -> Result<Vec<(u64, RoundTimes)>, StoreError> {
        run!(self, figures::rounds_from(pool, positions))
    }

    /// How many of the pool's players have a rank.
    ///
    /// # Errors
    /// As every query.
    pub async fn count_ranked(&mut self, pool: PoolId, ranked: Ranked) -> Result<u64, StoreError> {
        run!(self, ranks::count(pool, ranked))
    }

    /// Up to `limit` of the pool's players who have a rank, ratings descending and then by id, from
    /// behind that rating and player on.
    ///
    /// # Errors
    /// As every query.
    pub async fn ranked_after(
        &mut self,
        pool: PoolId,
        ranked: Ranked,
        last: Option<(Rating, PlayerId)>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        run!(self, ranks::after(pool, ranked, last, limit))
    }

    /// How many of the pool's players who have a rank are rated higher than the `first` of a page, and
    /// how many stand before it in the list.
    ///
    /// # Errors
    /// As every query.
    pub async fn ranked_before(
        &mut self,
        pool: PoolId,
        ranked: Ranked,
        first: (Rating, PlayerId),
    ) -> Result<(u64, u64), StoreError> {
        run!(self, ranks::before(pool, ranked, first))
    }
}
