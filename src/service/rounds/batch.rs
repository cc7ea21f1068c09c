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

/// Rounds that are rated before others have their turn on the same thread: as many as a transaction of updates has, which
/// are rated in one go.
const TURN: usize = MAX_BATCH;
/// Rounds whose rows are written together while the next are rated.
const PART: usize = 1_024;

/// A locked pool with rounds that are new, which are rated one after another without the database, and written in one
/// transaction: into the log as they came, and into the active projection.
#[derive(Debug)]
pub(crate) struct RoundBatch<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    rounds: Vec<LoggedRound>,
    /// What admins made of the rounds, for the log and for the audit.
    changes: Vec<(Change, AuditEntry)>,
}

/// The rows that some of the rounds make, which no later round changes.
#[derive(Debug, Default)]
struct Rows {
    /// One of each round, in their order.
    results: Vec<RoundResult>,
    /// The rows of entries that are full now, by player and number.
    chunks: Vec<StoredChunk>,
}

/// What the rounds of a batch make of its players.
#[derive(Debug)]
struct RatedPlayers {
    players: BatchPlayers,
    /// Those who were rated, ascending.
    touched: Vec<PlayerId>,
}

/// A batch that was written.
#[derive(Debug)]
pub(crate) struct SavedBatch {
    /// The pool as it is now.
    pub(crate) record: PoolRecord,
    /// The players as they are.
    pub(crate) players: BatchPlayers,
    /// The rounds, in the order in which they were added.
    pub(crate) rounds: Vec<Arc<RecordedRound>>,
}

impl<'pool> RoundBatch<'pool> {
    /// Nothing yet behind the `record` of the locked pool.
    pub(crate) fn new(pool: &'pool Pool, record: PoolRecord) -> Self {
        Self {
            pool,
            record,
            rounds: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// The rounds, in the order in which they were added.
    pub(crate) fn rounds(&self) -> &[LoggedRound] {
        &self.rounds
    }

    /// Adds a round, which was taken at `received_at` with that secret and ended then unless it reports a time, as
    /// what its `changes` make of it.
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
                // Nobody was rated by the round before.
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

    /// Rates the rounds from `players`, which has the pool's sums too, and writes everything.
    ///
    /// # Errors
    /// The database's, and where something is not held that the rounds are rated from.
    pub(crate) async fn rate_and_save(
        self,
        tx: &mut Tx,
        players: BatchPlayers,
    ) -> Result<SavedBatch, StoreError> {
        let (made, mut rows) = mpsc::unbounded_channel();
        // Of many rounds the database writes what is made of the first while the next are rated.
        if self.rounds.len() > TURN {
            let writing = self.write_ahead(tx, rows);
            let (results, rated) = tokio::join!(writing, self.rate(players, made));
            let written = Rows {
                results: results?,
                chunks: Vec::new(),
            };
            return self.save(tx, rated?, (written, true)).await;
        }
        // As few as these are sent at once, or there are none.
        const { assert!(TURN <= PART) };
        let rated = self.rate(players, made).await?;
        let rows = rows.recv().await.unwrap_or_default();
        self.save(tx, rated, (rows, false)).await
    }

    /// Rates the rounds; sends the rows that they make, those of up to [`PART`] rounds at a time.
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
                // Whoever wrote them has failed.
                break;
            }
        }
        let mut touched: Vec<PlayerId> = touched.into_iter().collect();
        touched.sort_unstable();
        Ok(RatedPlayers { players, touched })
    }

    /// Writes the rounds, and the rows that they make as these come; answers the results.
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

    /// Writes everything, the rounds and their results only where they are not there yet.
    async fn save(
        mut self,
        tx: &mut Tx,
        rated: RatedPlayers,
        (rows, are_written): (Rows, bool),
    ) -> Result<SavedBatch, StoreError> {
        let RatedPlayers {
            mut players,
            touched,
        } = rated;
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

    /// The rounds as they are written. Two instances that insert the same names into different pools wait for each
    /// other; in the same order, they cannot do so for ever.
    fn rounds_by_name(&self) -> Vec<&LoggedRound> {
        let mut rounds: Vec<&LoggedRound> = self.rounds.iter().collect();
        rounds.sort_by_cached_key(|logged| logged.round.name());
        rounds
    }
}
