use std::sync::Arc;

use super::batch_players::BatchPlayers;
use super::queue::MAX_BATCH;
use crate::api::RoundChangeLine;
use crate::domain::{PlayerId, PlayerSet, Report, Timestamp};
use crate::service::Pool;
use crate::service::audit::Author;
use crate::service::replay::round_change::RoundChange;
use crate::store::{
    AuditEntry, Change, LoggedRound, PoolRecord, RatedBatch, RecordedRound, RoundMarks,
    RoundResult, StoreError, StoredChunk, Tx,
};

/// Rounds that are rated before others have their turn on the same thread: as many as a transaction of updates has, which
/// are rated in one go.
const TURN: usize = MAX_BATCH;

/// A locked pool with a few rounds that are new, which are rated one after another without the database and written at
/// once: into the log as they came, and into the active projection.
#[derive(Debug)]
pub(crate) struct RoundBatch<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    rounds: Vec<LoggedRound>,
    /// What admins made of the rounds, for the log and for the audit.
    changes: Vec<(Change, AuditEntry)>,
}

/// What the rounds of a batch make of its pool.
#[derive(Debug, Default)]
struct RatedRounds {
    players: BatchPlayers,
    /// One of each round, in their order.
    results: Vec<RoundResult>,
    /// The players who were rated, ascending.
    touched: Vec<PlayerId>,
    /// The rows of entries that are full now, by player and number.
    chunks: Vec<StoredChunk>,
}

/// A batch that was written.
#[derive(Debug)]
pub(crate) struct SavedBatch {
    /// How long the pool's log is now.
    pub(crate) log_length: u64,
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

    /// Adds a round, which was taken at `received_at` and ended then unless it reports a time, as what
    /// its `changes` make of it.
    pub(crate) fn add(
        &mut self,
        report: Report,
        received_at: Timestamp,
        changes: &[RoundChangeLine],
    ) {
        let position = self.record.log_length + 1;
        self.record.log_length = position + changes.len() as u64;
        let reported = report.parts().winner;
        let mut marks = RoundMarks::default();
        for (line, place) in changes.iter().zip(position + 1..) {
            let before = marks;
            marks.take(line.action, place);
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
        // Of many rounds the database writes the log while they are rated.
        let writes_ahead = self.rounds.len() > TURN;
        let rated = if writes_ahead {
            let rounds = self.rounds_by_name();
            let inserting = tx.insert_rounds(self.pool.id, &rounds);
            let (inserted, rated) = tokio::join!(inserting, self.rate(players));
            inserted?;
            rated?
        } else {
            self.rate(players).await?
        };
        self.save(tx, rated, writes_ahead).await
    }

    async fn rate(&self, mut players: BatchPlayers) -> Result<RatedRounds, StoreError> {
        if self.rounds.is_empty() {
            return Ok(RatedRounds {
                players,
                ..RatedRounds::default()
            });
        }
        let generation = self.record.generation.ok_or(StoreError::NotComputed)?;
        let mut results = Vec::with_capacity(self.rounds.len());
        let mut touched = PlayerSet::default();
        let mut chunks = Vec::new();
        let parameters = &self.pool.settings.parameters;
        for (number, round) in self.rounds.iter().enumerate() {
            if number > 0 && number.is_multiple_of(TURN) {
                tokio::task::yield_now().await;
            }
            let rated = players.projection.rate(round, parameters)?;
            results.push(rated.result);
            for entry in rated.entries {
                touched.insert(entry.player);
                if let Some(full) = players.append(entry, generation)? {
                    chunks.push(StoredChunk::of(&full)?);
                }
            }
        }
        chunks.sort_unstable_by_key(StoredChunk::key);
        let mut touched: Vec<PlayerId> = touched.into_iter().collect();
        touched.sort_unstable();
        Ok(RatedRounds {
            players,
            results,
            touched,
            chunks,
        })
    }

    /// Writes everything, the rounds only where they are not there yet.
    async fn save(
        mut self,
        tx: &mut Tx,
        rated: RatedRounds,
        are_inserted: bool,
    ) -> Result<SavedBatch, StoreError> {
        let RatedRounds {
            mut players,
            results,
            touched,
            chunks,
        } = rated;
        if !self.rounds.is_empty() {
            let projection = &mut players.projection;
            self.record.predictions = projection.predictions;
            self.record.calibration = projection.calibration;
            self.record.experience = projection.experience;
            self.record.model_state = projection.model().state()?;
            let groups = projection.take_groups();
            let rounds = if are_inserted {
                Vec::new()
            } else {
                self.rounds_by_name()
            };
            let batch = RatedBatch {
                pool: &self.record,
                rounds: &rounds,
                results: &results.iter().collect::<Vec<_>>(),
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
        let recorded = self.rounds.into_iter().zip(results);
        let recorded = recorded.map(|(logged, result)| Arc::new(RecordedRound { logged, result }));
        Ok(SavedBatch {
            log_length: self.record.log_length,
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
