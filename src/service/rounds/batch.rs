use std::collections::BTreeSet;

use super::batch_players::BatchPlayers;
use crate::api::RoundChangeLine;
use crate::domain::{PlayerId, Report, Timestamp};
use crate::service::Pool;
use crate::service::audit::Author;
use crate::service::replay::round_change::RoundChange;
use crate::store::{
    AuditEntry, Change, Entry, LoggedRound, PoolRecord, RatedBatch, RecordedRound, RoundMarks,
    RoundResult, StoreError, StoredChunk, Tx,
};

/// A locked pool with everything in memory that a few rounds touch, so that they are rated one
/// after another without the database and then written at once: into the log as they came, and into
/// the active projection.
#[derive(Debug)]
pub(crate) struct RoundBatch<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    players: BatchPlayers,
    rounds: Vec<RecordedRound>,
    entries: Vec<Entry>,
    /// What admins made of the rounds, for the log and for the audit.
    changes: Vec<(Change, AuditEntry)>,
}

impl<'pool> RoundBatch<'pool> {
    /// Nothing yet behind the `record` of the locked pool, whose sums and players `players` has.
    pub(crate) fn new(pool: &'pool Pool, record: PoolRecord, players: BatchPlayers) -> Self {
        Self {
            pool,
            record,
            players,
            rounds: Vec::new(),
            entries: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Rates one round, which was taken at `received_at` and ended then unless it reports a time, as what
    /// its `changes` make of it.
    pub(crate) fn rate(
        &mut self,
        report: Report,
        received_at: Timestamp,
        changes: &[RoundChangeLine],
    ) -> Result<RecordedRound, StoreError> {
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
        let rated = self
            .players
            .projection
            .rate(&logged, &self.pool.settings.parameters)?;
        self.entries.extend(rated.entries);
        let recorded = RecordedRound {
            logged,
            result: rated.result,
        };
        self.rounds.push(recorded.clone());
        Ok(recorded)
    }

    /// Writes everything that was rated; answers how long the log is now, and the players as they are.
    pub(crate) async fn save(mut self, tx: &mut Tx) -> Result<(u64, BatchPlayers), StoreError> {
        if self.rounds.is_empty() {
            return Ok((self.record.log_length, self.players));
        }
        let projection = &mut self.players.projection;
        self.record.predictions = projection.predictions;
        self.record.calibration = projection.calibration;
        self.record.experience = projection.experience;
        self.record.model_state = projection.model().state()?;
        let groups = projection.take_groups();
        let (pool, generation) = (self.pool.id, self.record.generation);
        let generation = generation.ok_or(StoreError::NotComputed)?;
        let touched: BTreeSet<PlayerId> = self.entries.iter().map(|entry| entry.player).collect();
        let full = self.players.append(self.entries, generation)?;
        // Two instances that insert the same names into different pools wait for each other; in the
        // same order, they cannot do so for ever.
        self.rounds
            .sort_by_cached_key(|recorded| recorded.logged.round.name());
        let (rounds, results): (Vec<&LoggedRound>, Vec<&RoundResult>) = self
            .rounds
            .iter()
            .map(|recorded| (&recorded.logged, &recorded.result))
            .unzip();
        let chunks: Result<Vec<StoredChunk>, _> = full.iter().map(StoredChunk::of).collect();
        let batch = RatedBatch {
            pool: &self.record,
            rounds: &rounds,
            results: &results,
            groups: &groups,
            players: &self.players.to_save(&touched),
            chunks: &chunks?,
        };
        tx.save_batch(&batch).await?;
        for (change, audited) in &self.changes {
            tx.insert_change(pool, change).await?;
            tx.insert_audit(audited).await?;
        }
        Ok((self.record.log_length, self.players))
    }
}
