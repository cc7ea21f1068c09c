use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::record::NamedVoid;
use crate::domain::{PlayerId, Round, Timestamp};
use crate::rating::boundaries;
use crate::service::Pool;
use crate::service::audit;
use crate::service::audit::Author;
use crate::service::replay::projection::Projection;
use crate::store::{
    AuditEntry, Change, Changed, LoggedRound, NewEntry, PlayerRecord, PoolId, PoolRecord,
    RecordedRound, RoundResult, StoreError, Tx,
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
    entries: Vec<NewEntry>,
    /// What admins made of the rounds, for the log and for the audit.
    marks: Vec<(Change, AuditEntry)>,
}

impl<'pool> RoundBatch<'pool> {
    /// Reads what `rounds` need; `record` is the pool, locked in `tx`.
    pub(crate) async fn open(
        tx: &mut Tx,
        pool: &'pool Pool,
        record: PoolRecord,
        rounds: &[&Round],
    ) -> Result<Self, StoreError> {
        // How often each player is rated; 0 for those who only count into a sum.
        let mut appearances: HashMap<PlayerId, u32> = HashMap::new();
        for (_, entry) in rounds.iter().flat_map(|round| round.entries()) {
            *appearances.entry(entry.id).or_default() += u32::from(entry.is_rated());
        }
        let ids: Vec<PlayerId> = appearances.keys().copied().collect();
        let known = tx.players(pool.id, &ids).await?;

        let mut wanted = HashSet::new();
        for player in &known {
            for later in 0..appearances.get(&player.id).copied().unwrap_or(0) {
                let ends = boundaries(
                    player.entries + u64::from(later),
                    player.rounds.saturating_add(later),
                    pool.settings.parameters.window,
                );
                wanted.extend(
                    [ends.start, ends.old_end, ends.new_start]
                        .into_iter()
                        .filter(|number| (1..player.entries).contains(number))
                        .map(|number| (player.id, number)),
                );
            }
        }
        let wanted: Vec<(PlayerId, u64)> = wanted.into_iter().collect();
        let totals = if wanted.is_empty() {
            Vec::new()
        } else {
            tx.totals(pool.id, &wanted).await?
        };
        Ok(Self {
            pool,
            projection: Projection::of(&record, known, totals),
            record,
            rounds: Vec::with_capacity(rounds.len()),
            entries: Vec::new(),
            marks: Vec::new(),
        })
    }

    /// Rates one round, which ended at `ended_at` and was taken at `received_at`, as what its marks
    /// make of it.
    ///
    /// # Errors
    /// Where the store lacks totals that it must have.
    pub(crate) fn rate(
        &mut self,
        round: Round,
        ended_at: Timestamp,
        received_at: Timestamp,
        marks: &[NamedVoid],
    ) -> Result<RecordedRound, StoreError> {
        let position = self.record.log_length + 1;
        self.record.log_length = position + marks.len() as u64;
        let is_void = marks.last().is_some_and(|mark| mark.void);
        let logged = LoggedRound {
            position,
            round: round.settled(ended_at, self.pool.name.clone()),
            ended_at,
            received_at,
            settings: self.pool.settings_id,
            voided_at: is_void.then_some(self.record.log_length),
        };
        let rated = self
            .projection
            .rate(&logged, &self.pool.settings.parameters)?;
        self.entries.extend(rated.entries);
        for (mark, place) in marks.iter().zip(position + 1..) {
            let change = Change {
                position: place,
                change_id: mark.change_id.clone(),
                changed: Changed::Round {
                    position,
                    void: mark.void,
                },
                reason: mark.reason.clone(),
                made_at: mark.at,
                settings: self.pool.settings_id,
            };
            let audited = audited_mark(self.pool.id, mark, &logged);
            self.marks.push((change, audited));
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
        let players: Vec<PlayerRecord> = touched
            .iter()
            .filter_map(|player| self.projection.known(*player).cloned())
            .collect();
        // Two instances that insert the same names into different pools wait for each other; in the
        // same order, they cannot do so for ever.
        self.rounds.sort_by_cached_key(|recorded| {
            let parts = recorded.logged.round.parts();
            (parts.server.clone(), parts.round_id.clone())
        });
        let (rounds, results): (Vec<&LoggedRound>, Vec<&RoundResult>) = self
            .rounds
            .iter()
            .map(|recorded| (&recorded.logged, &recorded.result))
            .unzip();
        self.record.predictions = self.projection.predictions;
        self.record.calibration = self.projection.calibration;
        self.record.experience = self.projection.experience;
        let projection = self.record.projection;
        tx.insert_rounds(self.pool.id, &rounds).await?;
        tx.insert_results(projection, &results).await?;
        tx.insert_entries(projection, &self.entries).await?;
        tx.add_to_groups(projection, &self.projection.take_groups())
            .await?;
        for (change, audited) in &self.marks {
            tx.insert_change(self.pool.id, change).await?;
            tx.insert_audit(audited).await?;
        }
        tx.save_players(projection, &players).await?;
        tx.save_pool(&self.record).await
    }
}

/// What the audit says of a mark that came along with its round, before anything was rated by it.
fn audited_mark(pool: PoolId, mark: &NamedVoid, round: &LoggedRound) -> AuditEntry {
    let figures = |void: bool| json!({"void": void, "players": []}).to_string();
    let action = if mark.void { "void" } else { "unvoid" };
    let parts = round.round.parts();
    AuditEntry {
        round: Some((parts.server.clone(), parts.round_id.clone())),
        reason: mark.reason.clone(),
        ..audit::entry(
            (action, mark.change_id.as_str()),
            Author::CommandLine,
            mark.at,
            pool,
            (figures(!mark.void), figures(mark.void)),
        )
    }
}
