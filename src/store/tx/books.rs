//! What was computed: books, and what they say of the rounds.

use super::super::{BookId, PoolId, RoundResult, StoreError, postgres, sqlite};
use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::rating::PredictionTotals;

impl Tx {
    /// Writes what a book says of rounds.
    ///
    /// # Errors
    /// As every query.
    pub async fn insert_results(
        &mut self,
        book: BookId,
        results: &[&RoundResult],
    ) -> Result<(), StoreError> {
        run!(self, insert_results(book, results))
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

    /// Up to `limit` of what the book in force says of the rounds behind `position` in the pool's
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

    /// Begins a book of the pool, which `owner` computes from `now` on; with it the round at that
    /// place of the log is voided, or restored, where one is `marked`.
    ///
    /// # Errors
    /// As every query.
    pub async fn begin_book(
        &mut self,
        pool: PoolId,
        owned: (&str, Timestamp),
        marked: Option<(u64, bool)>,
    ) -> Result<BookId, StoreError> {
        run!(self, books::begin(pool, owned, marked))
    }

    /// Whether the round at `position` of the pool's log is being voided (`true`) or restored, by a
    /// book whose owner was heard of since `alive_since`.
    ///
    /// # Errors
    /// As every query.
    pub async fn mark_under_way(
        &mut self,
        pool: PoolId,
        position: u64,
        alive_since: Timestamp,
    ) -> Result<Option<bool>, StoreError> {
        run!(self, books::mark_under_way(pool, position, alive_since))
    }

    /// Says that `owner` still works on a book; `false` where it is no longer theirs. Until this unit
    /// of work ends, nobody else can take it.
    ///
    /// # Errors
    /// As every query.
    pub async fn renew_book(
        &mut self,
        book: BookId,
        owner: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        run!(self, books::renew(book, owner, now))
    }

    /// Says that a book is complete; `false` where it is no longer the owner's.
    ///
    /// # Errors
    /// As every query.
    pub async fn finish_book(&mut self, book: BookId, owner: &str) -> Result<bool, StoreError> {
        run!(self, books::finish(book, owner))
    }

    /// Whether anybody who was heard of since then computes a book of the pool.
    ///
    /// # Errors
    /// As every query.
    pub async fn is_computed(
        &mut self,
        pool: PoolId,
        alive_since: Timestamp,
    ) -> Result<bool, StoreError> {
        run!(self, books::is_computed(pool, alive_since))
    }

    /// Takes every book of the pool that is being computed away from whoever computes it.
    ///
    /// # Errors
    /// As every query.
    pub async fn disown_books(&mut self, pool: PoolId) -> Result<(), StoreError> {
        run!(self, books::disown(pool))
    }

    /// Takes every book of the pool that is not in force, and that nobody works on who was heard of
    /// since then, over for clearing away.
    ///
    /// # Errors
    /// As every query.
    pub async fn claim_retired_books(
        &mut self,
        pool: PoolId,
        owner: &str,
        alive_since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<BookId>, StoreError> {
        run!(self, books::claim_retired(pool, owner, alive_since, now))
    }

    /// Deletes up to `limit` rows of a book, or, where it has none, the book; answers whether there
    /// may be more.
    ///
    /// # Errors
    /// As every query.
    pub async fn delete_some_of_book(
        &mut self,
        book: BookId,
        limit: u32,
    ) -> Result<bool, StoreError> {
        run!(self, books::delete_some(book, limit))
    }
}
