use std::collections::{HashMap, HashSet};

use crate::api::VoidLine;
use crate::domain::{PlayerId, Report, Timestamp};
use crate::rating::boundaries;
use crate::service::Pool;
use crate::service::audit::Author;
use crate::service::replay::projection::Projection;
use crate::service::replay::rows::append;
use crate::service::replay::void_change::VoidChange;
use crate::store::{
    AuditEntry, Change, Entry, EntryChunk, LoggedRound, PlayerRecord, PoolRecord, RecordedRound,
    RoundResult, StoreError, Tx,
};

/// A locked pool with everything in memory that a few rounds touch, so that they are rated one
/// after another without the database and then written at once: into the log as they came, and into
/// the active projection.
///
/// What is read and written for each participant does not depend on the window or on the player's
/// history: one player, at most three totals at the ends of the window's halves, one new entry.
#[derive(Debug)]
pub(crate) struct RoundBatch<'pool> {
    pool: &'pool Pool,
    record: PoolRecord,
    projection: Projection,
    rounds: Vec<RecordedRound>,
    entries: Vec<Entry>,
    /// The last row of entries of every player who is rated and has some.
    chunks: HashMap<PlayerId, EntryChunk>,
    /// What admins made of the rounds, for the log and for the audit.
    voids: Vec<(Change, AuditEntry)>,
}

impl<'pool> RoundBatch<'pool> {
    /// Reads what `rounds` need; `record` is the pool, locked in `tx`.
    pub(crate) async fn open(
        tx: &mut Tx,
        pool: &'pool Pool,
        record: PoolRecord,
        rounds: &[&Report],
    ) -> Result<Self, StoreError> {
        // How often each player is rated; 0 for those who only count into a sum.
        let mut appearances: HashMap<PlayerId, u32> = HashMap::new();
        for (_, entry) in rounds.iter().flat_map(|round| round.entries()) {
            *appearances.entry(entry.id).or_default() += u32::from(entry.is_rated());
        }
        let ids: Vec<PlayerId> = appearances.keys().copied().collect();
        let known = tx.players(pool.id, &ids).await?;

        // The ends of windows, and the last entry, whose row goes on.
        let mut wanted = HashSet::new();
        for player in &known {
            for later in 0..appearances.get(&player.id).copied().unwrap_or(0) {
                let ends = boundaries(
                    player.entries + u64::from(later),
                    player.rounds.saturating_add(later),
                    pool.settings.parameters.window,
                );
                wanted.extend(
                    [ends.start, ends.old_end, ends.new_start, player.entries]
                        .into_iter()
                        .filter(|number| (1..=player.entries).contains(number))
                        .map(|number| (player.id, EntryChunk::of(number))),
                );
            }
        }
        let wanted: Vec<(PlayerId, u64)> = wanted.into_iter().collect();
        let found = if wanted.is_empty() {
            Vec::new()
        } else {
            tx.chunks(pool.id, &wanted).await?
        };
        let mut totals = Vec::new();
        let mut chunks = HashMap::new();
        let entries: HashMap<PlayerId, u64> = known
            .iter()
            .map(|player| (player.id, player.entries))
            .collect();
        for chunk in found {
            let held = chunk.entries.iter();
            totals.extend(held.map(|entry| (entry.player, entry.number, entry.totals)));
            let last = chunk.entries.last().map(|entry| entry.number);
            if last == entries.get(&chunk.player).copied() {
                chunks.insert(chunk.player, chunk);
            }
        }
        Ok(Self {
            pool,
            projection: Projection::of(&record, known, totals),
            record,
            rounds: Vec::with_capacity(rounds.len()),
            entries: Vec::new(),
            chunks,
            voids: Vec::new(),
        })
    }

    /// Rates one round, which was taken at `received_at` and ended then unless it reports a time, as what
    /// its `voids` make of it.
    pub(crate) fn rate(
        &mut self,
        report: Report,
        received_at: Timestamp,
        voids: &[VoidLine],
    ) -> Result<RecordedRound, StoreError> {
        let position = self.record.log_length + 1;
        self.record.log_length = position + voids.len() as u64;
        let is_void = voids.last().is_some_and(|line| line.change.is_void());
        let ended_at = report.parts().ended_at.unwrap_or(received_at);
        let logged = LoggedRound {
            position,
            round: report.settled(ended_at, self.pool.name.clone()),
            received_at,
            settings: self.pool.settings_id,
            voided_at: is_void.then_some(self.record.log_length),
        };
        let rated = self
            .projection
            .rate(&logged, &self.pool.settings.parameters)?;
        self.entries.extend(rated.entries);
        for (line, place) in voids.iter().zip(position + 1..) {
            let void = VoidChange {
                line: line.clone(),
                position,
                settings: self.pool.settings_id,
                // Nobody was rated by the round before.
                participants: Vec::new(),
            };
            let audited = void.audited(Author::CommandLine, self.pool.id, |_| None, |_| None);
            self.voids.push((void.change(place), audited));
        }
        let recorded = RecordedRound {
            logged,
            result: rated.result,
        };
        self.rounds.push(recorded.clone());
        Ok(recorded)
    }

    /// Writes everything that was rated.
    pub(crate) async fn save(mut self, tx: &mut Tx) -> Result<(), StoreError> {
        if self.rounds.is_empty() {
            return Ok(());
        }
        let touched: HashSet<PlayerId> = self.entries.iter().map(|entry| entry.player).collect();
        let players = touched.iter();
        let players = players.filter_map(|player| self.projection.known(*player));
        let players: Vec<PlayerRecord> = players.cloned().collect();
        // Two instances that insert the same names into different pools wait for each other; in the
        // same order, they cannot do so for ever.
        self.rounds
            .sort_by_cached_key(|recorded| recorded.logged.round.name());
        let (rounds, results): (Vec<&LoggedRound>, Vec<&RoundResult>) = self
            .rounds
            .iter()
            .map(|recorded| (&recorded.logged, &recorded.result))
            .unzip();
        self.record.predictions = self.projection.predictions;
        self.record.calibration = self.projection.calibration;
        self.record.experience = self.projection.experience;
        let (pool, generation) = (self.pool.id, self.record.generation);
        let generation = generation.ok_or(StoreError::NotComputed)?;
        let mut chunks = Vec::new();
        for entry in self.entries {
            let last = self.chunks.remove(&entry.player);
            let is_full = last
                .as_ref()
                .is_some_and(|last| last.chunk != EntryChunk::of(entry.number));
            if let Some(last) = &last
                && is_full
            {
                chunks.push(last.clone());
            }
            self.chunks
                .insert(entry.player, append(last, entry, generation)?);
        }
        chunks.extend(
            touched
                .iter()
                .filter_map(|player| self.chunks.remove(player)),
        );
        tx.insert_rounds(pool, &rounds).await?;
        tx.insert_results(pool, generation, &results).await?;
        tx.save_chunks(pool, &chunks).await?;
        tx.add_to_groups(pool, &self.projection.take_groups())
            .await?;
        for (change, audited) in &self.voids {
            tx.insert_change(pool, change).await?;
            tx.insert_audit(audited).await?;
        }
        tx.save_players(pool, &players).await?;
        tx.save_pool(&self.record).await
    }
}
