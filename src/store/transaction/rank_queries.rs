//! The queries of a unit of work on ranks: the players whose rating is shown and who played lately.

use super::{Inner, Tx, within};
use crate::domain::{PlayerId, Rating};
use crate::rating::PlayerState;
use crate::store::{PoolId, Ranked, StoreError, postgres, sqlite};

queries! {
    /// How many of the pool's players have a rank.
    fn count_ranked(pool: PoolId, ranked: Ranked) -> u64 = sql::ranks::count;

    /// How many of the pool's players who have a rank have each rating, ratings descending.
    fn ranked_ratings(pool: PoolId, ranked: Ranked) -> Vec<(Rating, u64)> = sql::ranks::ratings;

    /// Up to `limit` of the pool's players who have a rank, ratings descending and then by id, from
    /// behind that rating and player on.
    fn ranked_after(
        pool: PoolId, ranked: Ranked, last: Option<(Rating, PlayerId)>, limit: u32
    ) -> Vec<PlayerState> = sql::ranks::after;

    /// Up to `limit` of them in the same order, behind the first `before`.
    fn ranked_from(pool: PoolId, ranked: Ranked, before: u64, limit: u32) -> Vec<PlayerState>
        = sql::ranks::from;

    /// How many of the pool's players who have a rank are rated higher than the `first` of a page,
    /// and how many stand before it in the list.
    fn ranked_before(pool: PoolId, ranked: Ranked, first: (Rating, PlayerId)) -> (u64, u64)
        = sql::ranks::before;
}
