use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::lease::Lease;
use crate::domain::{PlayerId, Progress, Timestamp};
use crate::rating::{Entry, PackedStep, PlayerState, RoundResult, Totals};
use crate::service::ServiceError;
use crate::store::{EntryChunk, Generation, LastRow, PoolId, StoreError, StoredChunk, Tx, corrupt};

/// Last row of a player's rounds, which is not full, in a third of the memory of an [`EntryChunk`]. Leaves out values
/// that follow from others.
#[derive(Debug)]
pub(super) struct OpenRow {
    player: PlayerId,
    chunk: u64,
    /// Generation (version of computed rows) of this row of rounds: that of the last added round, or that of the row as
    /// read.
    generation: Generation,
    latest: Timestamp,
    /// Running totals of the player's ratings and scores before the first round of this row.
    before: Totals,
    entries: Vec<OpenEntry>,
}

#[derive(Debug)]
struct OpenEntry {
    position: u64,
    ended_at: Timestamp,
    step: PackedStep,
}

impl OpenRow {
    /// Compresses the last row of a player's rounds, which must not be full.
    pub(super) fn of(row: EntryChunk) -> Self {
        let before = row
            .entries
            .first()
            .map(|first| first.totals.without(first.step));
        let entries = row.entries.into_iter().map(|entry| OpenEntry {
            position: entry.position,
            ended_at: entry.ended_at,
            step: PackedStep::of(entry.step),
        });
        Self {
            player: row.player,
            chunk: row.chunk,
            generation: row.generation,
            latest: row.latest,
            before: before.unwrap_or_default(),
            entries: entries.collect(),
        }
    }

    /// Adds a round of `generation` to the row. If the round fills the row, returns the full row and continues with the
    /// next one. Returns an error if the round is not the next one of the player.
    pub(super) fn push(
        &mut self,
        entry: &Entry,
        generation: Generation,
    ) -> Result<Option<EntryChunk>, StoreError> {
        let held = self.entries.len() as u64;
        if entry.number != self.first_number() + held || held >= EntryChunk::SIZE {
            return Err(corrupt("entries", "content"));
        }
        if self.entries.is_empty() {
            self.before = entry.totals.without(entry.step);
        }
        self.generation = generation;
        self.latest = self.latest.max(entry.ended_at);
        self.entries.push(OpenEntry {
            position: entry.position,
            ended_at: entry.ended_at,
            step: PackedStep::of(entry.step),
        });
        if (self.entries.len() as u64) < EntryChunk::SIZE {
            return Ok(None);
        }
        let full = self.to_chunk();
        *self = Self::of(full.next());
        Ok(Some(full))
    }

    pub(super) fn to_chunk(&self) -> EntryChunk {
        let mut totals = self.before;
        let entries = self
            .entries
            .iter()
            .zip(self.first_number()..)
            .map(|(entry, number)| {
                let step = entry.step.unpack();
                totals = totals.with(step);
                Entry {
                    player: self.player,
                    number,
                    position: entry.position,
                    ended_at: entry.ended_at,
                    step,
                    totals,
                }
            });
        EntryChunk {
            player: self.player,
            chunk: self.chunk,
            generation: self.generation,
            latest: self.latest,
            entries: entries.collect(),
        }
    }

    /// Returns the approximate memory use of the player's row of rounds, in bytes.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.entries.capacity() * size_of::<OpenEntry>()
    }

    fn first_number(&self) -> u64 {
        self.chunk * EntryChunk::SIZE + 1
    }
}

/// Number of players that a rebuild writes in one transaction. These players are neighbours in the table.
const PLAYERS: usize = 400;
/// Number of smaller transactions that replace one write of a rebuild if its writes have kept requests waiting.
const PARTS: usize = 4;

#[derive(Debug)]
pub(crate) struct UnwrittenRows {
    pub(super) generation: Generation,
    pub(super) results: VecDeque<RoundResult>,
    pub(super) chunks: VecDeque<StoredChunk>,
}

impl UnwrittenRows {
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty() && self.chunks.is_empty()
    }

    /// Writes up to `rows` computed rows to the database, and removes them from the buffer.
    pub(super) async fn write_some(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        rows: usize,
    ) -> Result<(), StoreError> {
        let results = ..self.results.len().min(rows);
        let results: Vec<RoundResult> = self.results.drain(results).collect();
        if !results.is_empty() {
            let inserted: Vec<&RoundResult> = results.iter().collect();
            tx.insert_results(pool, self.generation, &inserted).await?;
        }
        let chunks = ..self.chunks.len().min(rows - results.len());
        let chunks: Vec<StoredChunk> = self.chunks.drain(chunks).collect();
        if !chunks.is_empty() {
            tx.save_stored_chunks(pool, &chunks).await?;
        }
        Ok(())
    }
}

/// Changed player to write, with the last row of the player's rounds if there is one.
pub(crate) type UnwrittenPlayer = (PlayerState, Option<EntryChunk>);

/// Writes players into rows of `generation`, or of the active generation if `generation` is `None`.
pub(super) async fn write_players(
    tx: &mut Tx,
    (pool, generation): (PoolId, Option<Generation>),
    players: &[UnwrittenPlayer],
) -> Result<(), StoreError> {
    let players: Vec<(&PlayerState, LastRow<'_>)> = players
        .iter()
        .map(|(player, last)| (player, last.as_ref()))
        .collect();
    tx.save_players_with_last_rows(pool, generation, &players)
        .await
}

impl Lease {
    pub(super) async fn write_players(
        self,
        generation: Generation,
        players: Vec<UnwrittenPlayer>,
        progress: Progress,
    ) -> Result<(), ServiceError> {
        for players in players.chunks(PLAYERS) {
            let started = Instant::now();
            let mut tx = self.begin_deferred(progress).await?;
            write_players(&mut tx, (self.pool, Some(generation)), players).await?;
            tx.commit().await?;
            self.pause(started).await;
        }
        Ok(())
    }

    /// Writes computed rows of a rebuild in several transactions. `progress` is the progress at their computation.
    pub(super) async fn write(
        self,
        mut rows: UnwrittenRows,
        progress: Progress,
    ) -> Result<(), ServiceError> {
        // Smaller transactions take more time in total, so they are used only if others wait.
        let at_once = if self.had_waiters.swap(false, Ordering::Relaxed) {
            self.service.rebuild_rows / PARTS
        } else {
            self.service.rebuild_rows
        };
        loop {
            let started = Instant::now();
            // A transaction without rows still renews the lease.
            let mut tx = self.begin_deferred(progress).await?;
            rows.write_some(&mut tx, self.pool, at_once).await?;
            if self.store.has_waiters() {
                self.had_waiters.store(true, Ordering::Relaxed);
            }
            tx.commit().await?;
            self.pause(started).await;
            if rows.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Probability, Rating, Score};
    use crate::rating::TotalsStep;

    proptest! {
        #[test]
        fn an_open_row_is_the_row_that_its_entries_make(
            steps in prop::collection::vec(
                (1..9_u64, 0..2_000_000_000_i64, 0..=1_000_000_i32, 0.0..=1.0, 0..=2_u8), 1..50,
            ),
            made_at in any::<prop::sample::Index>(),
        ) {
            let player = PlayerId::from_steam_id64(76_561_197_960_265_729).unwrap();
            let generation = Generation::default().next();
            let made_at = made_at.index(steps.len());
            let mut row = EntryChunk::empty(player, 0, Timestamp::UNIX_EPOCH);
            let mut open = OpenRow::of(row.clone());
            let (mut position, mut totals) = (0, Totals::default());
            for (number, (later, seconds, points, expected, halves)) in (1..).zip(steps) {
                if number == made_at {
                    open = OpenRow::of(row.clone());
                }
                position += later;
                let step = TotalsStep::of(
                    Rating::new(points).unwrap(),
                    Probability::new(expected).unwrap(),
                    Score::of_halves(halves).unwrap(),
                );
                totals = totals.with(step);
                let ended_at = Timestamp::from_unix_micros(seconds * 1_000_000).unwrap();
                let entry = Entry { player, number: number as u64, position, ended_at, step, totals };
                row.generation = generation;
                row.push(entry).unwrap();
                let full = open.push(&entry, generation).unwrap();
                prop_assert_eq!(full.is_some(), row.is_full());
                if let Some(full) = full {
                    prop_assert_eq!(&full, &row);
                    row = row.next();
                }
                prop_assert_eq!(&open.to_chunk(), &row);
                prop_assert!(open.push(&entry, generation).is_err(), "the same entry once more");
            }
        }
    }
}
