use super::{Service, ServiceError};
use crate::domain::PoolName;
use crate::store::{Change, ChangeKind, PoolRecord, RecordedRound};
use crate::wire::{ChangeLine, ChangeName, LogLine};

impl Service {
    /// Up to `limit` lines of the pool's log behind `position`, in its order, each with its own
    /// position.
    ///
    /// # Errors
    /// The database's.
    pub async fn read_log(
        &self,
        pool: &PoolRecord,
        position: u64,
        limit: u32,
    ) -> Result<Vec<(u64, LogLine)>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let rounds = tx.rounds_after(pool.id, position, limit).await?;
        let changes = tx.changes_after(pool.id, position, limit).await?;
        let mut lines: Vec<(u64, LogLine)> = rounds
            .into_iter()
            .map(round_line)
            .chain(
                changes
                    .into_iter()
                    .map(|change| change_line(&pool.name, change)),
            )
            .collect();
        lines.sort_unstable_by_key(|(position, _)| *position);
        // Behind the limit one of the two lists may have ended before the other.
        lines.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(lines)
    }

    /// Every pool that the database has, configured or not.
    ///
    /// # Errors
    /// The database's.
    pub async fn stored_pools(&self) -> Result<Vec<PoolRecord>, ServiceError> {
        Ok(self.store.begin_read().await?.pools().await?)
    }
}

fn round_line(recorded: RecordedRound) -> (u64, LogLine) {
    (recorded.position, LogLine::Round(recorded.round))
}

fn change_line(pool: &PoolName, change: Change) -> (u64, LogLine) {
    let (name, rating) = match change.kind {
        ChangeKind::Set(rating) => (ChangeName::Set, Some(rating)),
        ChangeKind::Reset => (ChangeName::Reset, None),
    };
    let line = ChangeLine {
        change: name,
        change_id: change.change_id,
        pool: pool.clone(),
        id: change.player,
        rating,
        reason: change.reason,
        at: change.made_at,
    };
    (change.position, LogLine::Change(line))
}
