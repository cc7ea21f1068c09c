use std::collections::{HashMap, HashSet};

use super::log_page;
use crate::api::{
    ChangeLine, ChangeName, LogLine, RoundChangeLine, SeasonChangeName, SeasonLine, UndoLine,
    UndoName,
};
use crate::domain::{ChangeId, PoolName, Round, RoundAction};
use crate::rating::ChangeKind;
use crate::service::{Service, ServiceError};
use crate::store::{Change, Changed, LogEntry, PoolRecord, Tx, corrupt};

/// Reader of a pool's log for an export, which continues after the last entry read.
#[derive(Debug, Default)]
pub struct LogReader {
    /// Log position of the last entry that the export of a pool's log has read.
    position: u64,
    /// Log position up to which rounds are pruned and cannot be read.
    pruned: u64,
    /// Log positions of voids, corrections and undos that the export wrote early, right after the entries that they
    /// change.
    written: HashSet<u64>,
}

impl Service {
    /// Returns the export lines for up to `limit` entries of the pool's log after `reader`, in log order, and advances
    /// `reader`. Returns `None` at the end of the log.
    ///
    /// The void, restoration or correction of a round follows the round directly, and the undo of a change follows the
    /// change. So an import rates each round once, in its final state. The original position of such a change has no
    /// effect on ratings. Changes made during the export come at the end. Pruned rounds have no lines here; the files
    /// of the prunes contain them.
    pub async fn read_log(
        &self,
        pool: &PoolRecord,
        reader: &mut LogReader,
        limit: u32,
    ) -> Result<Option<Vec<LogLine>>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pruned = tx.pool(pool.id).await?.pruned;
        if reader.position < pruned {
            if reader.position > 0 {
                return Err(ServiceError::PrunedMeanwhile(pool.name.clone()));
            }
            *reader = LogReader::behind(pruned);
        }
        let page = log_page(&mut tx, pool.id, reader.position, limit).await?;
        if page.is_empty() {
            return Ok(None);
        }
        Ok(Some(reader.take_lines(&mut tx, pool, page).await?))
    }

    /// Returns every pool in the database, configured or not.
    pub async fn stored_pools(&self) -> Result<Vec<PoolRecord>, ServiceError> {
        Ok(self.store.begin_read().await?.pools().await?)
    }
}

impl LogReader {
    pub(crate) fn behind(pruned: u64) -> Self {
        Self {
            position: pruned,
            pruned,
            written: HashSet::new(),
        }
    }

    /// Returns the export lines for `page`, the next page of the log of `pool`, and advances the reader.
    pub(crate) async fn take_lines(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        page: Vec<LogEntry>,
    ) -> Result<Vec<LogLine>, ServiceError> {
        let end = page.last().map_or(self.position, LogEntry::position);
        let mut marks: HashMap<u64, Vec<(Change, RoundAction)>> = HashMap::new();
        let mut undos: HashMap<u64, Change> = HashMap::new();
        let first = self.position + 1;
        for change in tx.changes_of_rounds(pool.id, first, end).await? {
            match change.changed {
                Changed::Round { position, action } => {
                    marks.entry(position).or_default().push((change, action));
                }
                Changed::Undo { position, .. } => {
                    undos.insert(position, change);
                }
                Changed::Player(..) | Changed::Season(_) => {}
            }
        }
        let mut lines = Vec::with_capacity(page.len());
        for entry in page {
            match entry {
                LogEntry::Round(logged) => {
                    lines.push(LogLine::Round(logged.report().into_owned()));
                    for (change, action) in marks.remove(&logged.position).unwrap_or_default() {
                        self.written.insert(change.position);
                        lines.push(round_line(&logged.round, action, change));
                    }
                }
                LogEntry::Change(change) => match change.changed {
                    Changed::Player(..) | Changed::Season(_) => {
                        let undo = undos.remove(&change.position);
                        let undone = change.change_id.clone();
                        lines.extend(change_line(&pool.name, change));
                        if let Some(undo) = undo {
                            self.written.insert(undo.position);
                            lines.push(undo_line(undone, undo));
                        }
                    }
                    Changed::Round { .. } | Changed::Undo { .. }
                        if self.written.remove(&change.position) => {}
                    // The file of the prune contains this line, after the entry that the change concerns.
                    Changed::Round { position, .. } | Changed::Undo { position, .. }
                        if position <= self.pruned => {}
                    Changed::Undo { position, .. } => {
                        let undone = tx
                            .changes_after(pool.id, position - 1, 1)
                            .await?
                            .pop()
                            .filter(|undone| undone.position == position)
                            .ok_or_else(|| corrupt("changes", "round_position"))?;
                        lines.push(undo_line(undone.change_id, change));
                    }
                    Changed::Round { position, action } => {
                        let rounds = tx.rounds_after(pool.id, position - 1, 1).await?;
                        // The round existed when it was voided. If the round is missing now, it was pruned since.
                        let voided = rounds
                            .first()
                            .filter(|voided| voided.position == position)
                            .ok_or_else(|| ServiceError::PrunedMeanwhile(pool.name.clone()))?;
                        lines.push(round_line(&voided.round, action, change));
                    }
                },
            }
        }
        self.position = end;
        Ok(lines)
    }
}

/// Returns the export line of a player change or a season start, and `None` for a change to an earlier entry.
fn change_line(pool: &PoolName, change: Change) -> Option<LogLine> {
    match change.changed {
        Changed::Player(player, kind) => {
            let (name, rating) = match kind {
                ChangeKind::Set(rating) => (ChangeName::Set, Some(rating)),
                ChangeKind::Reset => (ChangeName::Reset, None),
            };
            Some(LogLine::Change(ChangeLine {
                change: name,
                change_id: change.change_id,
                pool: pool.clone(),
                id: player,
                rating,
                reason: change.reason,
                at: change.made_at,
            }))
        }
        Changed::Season(season) => Some(LogLine::Season(SeasonLine {
            change: SeasonChangeName::Season,
            change_id: change.change_id,
            pool: pool.clone(),
            name: season.name,
            keep: season.keep,
            calibration: season.calibration,
            reason: change.reason,
            at: change.made_at,
        })),
        Changed::Round { .. } | Changed::Undo { .. } => None,
    }
}

fn undo_line(undoes: ChangeId, change: Change) -> LogLine {
    LogLine::Undo(UndoLine {
        change: UndoName::Undo,
        change_id: change.change_id,
        undoes,
        reason: change.reason,
        at: change.made_at,
    })
}

fn round_line(round: &Round, action: RoundAction, change: Change) -> LogLine {
    let (server, round_id) = round.name();
    LogLine::RoundChange(RoundChangeLine {
        action,
        change_id: change.change_id,
        server,
        round_id,
        reason: change.reason,
        at: change.made_at,
    })
}
