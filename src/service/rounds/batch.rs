use std::sync::Arc;

use tokio::sync::mpsc;

use super::batch_players::BatchPlayers;
use super::queue::MAX_BATCH;
use crate::api::RoundChangeLine;
use crate::domain::{Fingerprint, PlayerId, PlayerSet, Report, Timestamp};
use crate::rating::RoundResult;
use crate::service::Pool;
use crate::service::audit::Author;
use crate::service::replay::round_change::RoundChange;
use crate::store::{
    AuditEntry, Change, LoggedRound, PoolRecord, RatedBatch, RecordedRound, RoundMarks, StoreError,
    StoredChunk, Tx,
};

/// Number of rounds rated between two yields to the async runtime. A batch of updates has at most this many rounds, and
/// is rated without a yield.
const TURN: usize = MAX_BATCH;
/// Number of rounds of a batch whose rows are written together while the next rounds are rated.
const PART: usize = 1_024;

/// New rounds of a locked pool, rated one after another in memory. One transaction writes the rounds and their results.
#[derive(Debug)]
pub(crate) struct RoundBatch<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    pub(super) rounds: Vec<LoggedRound>,
    /// Voids and corrections imported with the rounds, for the log and the audit.
    changes: Vec<(Change, AuditEntry)>,
}

/// Rows computed from some rounds of a batch, which later rounds do not change.
#[derive(Debug, Default)]
struct Rows {
    /// Rating results of the rounds, one per round, in the order of the rounds.
    results: Vec<RoundResult>,
    /// Full rows of players' rounds, by player and row number.
    chunks: Vec<StoredChunk>,
}

/// Players after a batch, and the ids of those whom it rated, ascending.
type RatedPlayers = (BatchPlayers, Vec<PlayerId>);

#[derive(Debug)]
pub(crate) struct SavedBatch {
    pub(crate) record: PoolRecord,
    pub(crate) players: BatchPlayers,
    /// Recorded rounds of the batch, in the order in which they were added.
    pub(crate) rounds: Vec<Arc<RecordedRound>>,
}

impl<'pool> RoundBatch<'pool> {
    pub(crate) fn new(pool: &'pool Pool, record: PoolRecord) -> Self {
        Self {
            pool,
            record,
            rounds: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Adds a round to the batch, received at `received_at` with the given secret, and applies `changes` to the round.
    /// A round without a reported end time ended at `received_at`.
    pub(crate) fn add(
        &mut self,
        report: Report,
        (received_at, secret): (Timestamp, Option<Fingerprint>),
        changes: &[RoundChangeLine],
    ) {
        let position = self.record.log_length + 1;
        self.record.log_length = position + changes.len() as u64;
        let reported = report.parts().winner;
        let mut marks = RoundMarks::default();
        for (line, place) in changes.iter().zip(position + 1..) {
            let before = marks;
            marks.apply(line.action, place);
            let change = RoundChange {
                line: line.clone(),
                position,
                reported,
                marks: before,
                settings: self.pool.settings_id,
                // The changes precede the first rating of the round, so they change no player's rating.
                participants: Vec::new(),
            };
            let audited = change.audited(Author::CommandLine, self.pool.id, |_| None, |_| None);
            self.changes.push((change.change(place), audited));
        }
        let ended_at = report.parts().ended_at.unwrap_or(received_at);
        let mut logged = LoggedRound {
            position,
            round: report.settled(ended_at, self.pool.name.clone()),
            reported,
            received_at,
            secret,
            settings: self.pool.settings_id,
            voided_at: None,
        };
        logged.set_marks(marks);
        self.rounds.push(logged);
    }

    /// Rates the rounds of the batch and writes all their rows. `players` holds the players of the rounds and the sums
    /// of the pool. Returns an error if something is missing in `players`.
    pub(crate) async fn rate_and_save(
        self,
        tx: &mut Tx,
        players: BatchPlayers,
    ) -> Result<SavedBatch, StoreError> {
        let (made, mut rows) = mpsc::unbounded_channel();
        // While the database writes the results of the first rounds of a large batch, the next ones are rated.
        if self.rounds.len() > TURN {
            let writing = self.write_ahead(tx, rows);
            let (results, rated) = tokio::join!(writing, self.rate(players, made));
            let written = Rows {
                results: results?,
                chunks: Vec::new(),
            };
            return self.save(tx, rated?, (written, true)).await;
        }
        // A small batch is sent in one part. An empty batch sends none.
        const { assert!(TURN <= PART) };
        let rated = self.rate(players, made).await?;
        let rows = rows.recv().await.unwrap_or_default();
        self.save(tx, rated, (rows, false)).await
    }

    /// Rates the rounds of the batch, and sends their rows to the writer in parts of up to [`PART`] rounds.
    async fn rate(
        &self,
        mut players: BatchPlayers,
        made: mpsc::UnboundedSender<Rows>,
    ) -> Result<RatedPlayers, StoreError> {
        let mut touched = PlayerSet::default();
        let parameters = &self.pool.settings.parameters;
        let mut number = 0_usize;
        for part in self.rounds.chunks(PART) {
            let mut rows = Rows::default();
            for round in part {
                if number > 0 && number.is_multiple_of(TURN) {
                    tokio::task::yield_now().await;
                }
                number += 1;
                let rated = players.engine.rate(
                    round.position,
                    &round.round,
                    round.voided_at.is_some(),
                    parameters,
                )?;
                rows.results.push(rated.result);
                for entry in rated.entries {
                    touched.insert(entry.player);
                    if let Some(full) = players.append(entry, self.record.generation)? {
                        rows.chunks.push(StoredChunk::of(&full)?);
                    }
                }
            }
            rows.chunks.sort_unstable_by_key(StoredChunk::key);
            if made.send(rows).is_err() {
                // The writer has failed and closed the channel.
                break;
            }
        }
        let mut touched: Vec<PlayerId> = touched.into_iter().collect();
        touched.sort_unstable();
        Ok((players, touched))
    }

    /// Writes the rounds of a large batch, and then their computed rows as they arrive. Returns the rounds' results.
    async fn write_ahead(
        &self,
        tx: &mut Tx,
        mut made: mpsc::UnboundedReceiver<Rows>,
    ) -> Result<Vec<RoundResult>, StoreError> {
        let (pool, generation) = (self.pool.id, self.record.generation);
        tx.insert_rounds(pool, &self.rounds_by_name()).await?;
        let mut results = Vec::with_capacity(self.rounds.len());
        while let Some(rows) = made.recv().await {
            let new: Vec<&RoundResult> = rows.results.iter().collect();
            tx.insert_results(pool, generation, &new).await?;
            if !rows.chunks.is_empty() {
                tx.save_stored_chunks(pool, &rows.chunks).await?;
            }
            results.extend(rows.results);
        }
        Ok(results)
    }

    /// Writes all rows of a rated batch, except for rounds and results if they are written already.
    async fn save(
        mut self,
        tx: &mut Tx,
        (mut players, touched): RatedPlayers,
        (rows, are_written): (Rows, bool),
    ) -> Result<SavedBatch, StoreError> {
        let Rows { results, chunks } = rows;
        if !self.rounds.is_empty() {
            let engine = &mut players.engine;
            self.record.sums = engine.sums();
            self.record.model_state = engine.model().state()?;
            let groups = engine.take_groups();
            let (mut rounds, mut new_results) = (Vec::new(), Vec::new());
            if !are_written {
                rounds = self.rounds_by_name();
                new_results.extend(&results);
            }
            let batch = RatedBatch {
                pool: &self.record,
                rounds: &rounds,
                results: &new_results,
                groups: &groups,
                players: &players.to_save(&touched),
                chunks: &chunks,
            };
            tx.save_batch(&batch).await?;
        }
        for (change, audited) in &self.changes {
            tx.insert_change(self.pool.id, change).await?;
            tx.insert_audit(audited).await?;
        }
        let recorded = self
            .rounds
            .into_iter()
            .zip(results)
            .map(|(logged, result)| Arc::new(RecordedRound { logged, result }));
        Ok(SavedBatch {
            record: self.record,
            players,
            rounds: recorded.collect(),
        })
    }

    /// Returns the rounds of the batch by server and name, the order in which they are inserted. Two instances that
    /// insert the same names into different pools wait for each other, and the common order prevents a deadlock.
    fn rounds_by_name(&self) -> Vec<&LoggedRound> {
        let mut rounds: Vec<&LoggedRound> = self.rounds.iter().collect();
        rounds.sort_by_cached_key(|logged| logged.round.name());
        rounds
    }
}
