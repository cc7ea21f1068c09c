use std::collections::HashMap;

use super::replay::log_page;
use super::{Service, ServiceError};
use crate::domain::{PlayerId, PoolName, Round};
use crate::store::{Change, ChangeKind, Changed, LogEntry, PoolRecord};
use crate::wire::{ChangeLine, ChangeName, LogLine, MarkLine, MarkName};

/// A stretch of a pool's log as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// The lines; there may be none of a stretch that only says of rounds before it what is written
    /// behind those.
    pub lines: Vec<LogLine>,
    /// The last place of it.
    pub end: u64,
}

impl Service {
    /// Lines for up to `limit` of the things in the pool's log behind `position`, in its order; `None`
    /// where there is nothing. Whether a round was voided, and restored, stands right behind the
    /// round: so an import rates it as what it became, once. No rating hangs on where in the log that
    /// stands.
    ///
    /// # Errors
    /// The database's.
    pub async fn read_log(
        &self,
        pool: &PoolRecord,
        position: u64,
        limit: u32,
    ) -> Result<Option<LogPage>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let page = log_page(&mut tx, pool.id, position, limit).await?;
        let Some(end) = page.last().map(LogEntry::position) else {
            return Ok(None);
        };
        let mut marks: HashMap<u64, Vec<Change>> = HashMap::new();
        for change in tx.changes_of_rounds(pool.id, position + 1, end).await? {
            if let Changed::Round { position, .. } = change.changed {
                marks.entry(position).or_default().push(change);
            }
        }
        let mut lines = Vec::with_capacity(page.len());
        for entry in page {
            match entry {
                LogEntry::Round(logged) => {
                    let marks = marks.remove(&logged.position).unwrap_or_default();
                    let marks = marks.into_iter().map(|mark| mark_line(&logged.round, mark));
                    let marks: Vec<LogLine> = marks.collect();
                    lines.push(LogLine::Round(logged.round));
                    lines.extend(marks);
                }
                LogEntry::Change(change) => {
                    if let Changed::Player(player, kind) = change.changed {
                        lines.push(change_line(&pool.name, player, kind, change));
                    }
                }
            }
        }
        Ok(Some(LogPage { lines, end }))
    }

    /// Every pool that the database has, configured or not.
    ///
    /// # Errors
    /// The database's.
    pub async fn stored_pools(&self) -> Result<Vec<PoolRecord>, ServiceError> {
        Ok(self.store.begin_read().await?.pools().await?)
    }
}

fn change_line(pool: &PoolName, player: PlayerId, kind: ChangeKind, change: Change) -> LogLine {
    let (name, rating) = match kind {
        ChangeKind::Set(rating) => (ChangeName::Set, Some(rating)),
        ChangeKind::Reset => (ChangeName::Reset, None),
    };
    LogLine::Change(ChangeLine {
        change: name,
        change_id: change.change_id,
        pool: pool.clone(),
        id: player,
        rating,
        reason: change.reason,
        at: change.made_at,
    })
}

fn mark_line(round: &Round, mark: Change) -> LogLine {
    let void = matches!(mark.changed, Changed::Round { void: true, .. });
    let parts = round.parts();
    LogLine::Mark(MarkLine {
        change: if void {
            MarkName::Void
        } else {
            MarkName::Unvoid
        },
        change_id: mark.change_id,
        server: parts.server.clone(),
        round_id: parts.round_id.clone(),
        reason: mark.reason,
        at: mark.made_at,
    })
}
