//! Undo of changes that admins made to players.

use std::time::Duration;

use super::adjust::{ChangeNote, change_name, was_made};
use crate::api::{LastChangeAnswer, UndoLine, UndoName};
use crate::domain::{ChangeId, PlayerId};
use crate::rating::ChangeKind;
use crate::service::audit::Author;
use crate::service::replay::round_change::{ChangeUndo, LogChange};
use crate::service::rounds::change::RoundOutcome;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Changed, PoolId, PoolRecord, StoreError, Tx};

impl Service {
    /// Undoes an admin's change of a player in `pool`, as if it had never been made. Does nothing if the change is
    /// already undone. If the rebuild takes longer than `timeout`, it continues in the background, as in
    /// [`Service::change_round`].
    ///
    /// # Errors
    /// Returns an error if the player has no such change, if it lies before pruned rounds, or if a rebuild of the pool
    /// is in progress.
    pub async fn undo_change(
        &self,
        pool: &Pool,
        id: PlayerId,
        undoes: ChangeId,
        note: ChangeNote,
        by: Author,
        timeout: Duration,
    ) -> Result<RoundOutcome, ServiceError> {
        let of = Undoable::Player(pool.id, id);
        self.undo(of, undoes, note, by, timeout).await
    }

    pub(crate) async fn undo(
        &self,
        of: Undoable,
        undoes: ChangeId,
        note: ChangeNote,
        by: Author,
        timeout: Duration,
    ) -> Result<RoundOutcome, ServiceError> {
        let line = UndoLine {
            change: UndoName::Undo,
            change_id: change_name(note.change_id)?,
            undoes,
            reason: note.reason,
            at: self.clock.now(),
        };
        match Box::pin(self.find_undo(line, of)).await? {
            Some((record, undo)) => self.change_log(record, undo, by, timeout).await,
            None => Ok(RoundOutcome::Done),
        }
    }

    /// Applies an undo of an admin's change from a line of an exported log. Returns `false` if it was made before.
    ///
    /// # Errors
    /// Returns the errors of [`Service::undo_change`], and [`ServiceError::ChangeIdTaken`] if the id belongs to another
    /// change.
    pub async fn apply_undo(&self, line: UndoLine) -> Result<bool, ServiceError> {
        match Box::pin(self.find_undo(line, Undoable::Any)).await? {
            // The future is large, and would make the futures of all callers as large.
            Some((pool, undo)) => Box::pin(self.apply_to_log(&pool, undo)).await,
            None => Ok(false),
        }
    }

    /// Finds the admin's change that an undo names, and its pool. `None` if the change is already undone.
    pub(crate) async fn find_undo(
        &self,
        line: UndoLine,
        of: Undoable,
    ) -> Result<Option<(PoolRecord, LogChange)>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let is_wanted = |kind| of == Undoable::Any || of == kind;
        let found =
            tx.change(&line.undoes)
                .await?
                .and_then(|(pool, change)| match change.changed {
                    Changed::Player(player, _) if is_wanted(Undoable::Player(pool, player)) => {
                        Some((pool, Some(player), change))
                    }
                    Changed::Season(_) if is_wanted(Undoable::Season(pool)) => {
                        Some((pool, None, change))
                    }
                    Changed::Player(..)
                    | Changed::Season(_)
                    | Changed::Round { .. }
                    | Changed::Undo { .. } => None,
                });
        let Some((pool, player, change)) = found else {
            return Err(match of {
                Undoable::Season(_) => ServiceError::NoSuchStart(line.undoes),
                Undoable::Any | Undoable::Player(..) => ServiceError::NoSuchChange(line.undoes),
            });
        };
        let position = change.position;
        let undo = Changed::Undo { position, player };
        let later = tx.changes_of_rounds(pool, position, position).await?;
        if was_made(&mut tx, pool, &line.change_id, &undo).await? || !later.is_empty() {
            return Ok(None);
        }
        let record = tx.pool(pool).await?;
        check_undo(&mut tx, &record, (position, player), &line.undoes).await?;
        let undo = ChangeUndo {
            line,
            position,
            player,
            settings: change.settings,
        };
        Ok(Some((record, LogChange::Undo(undo))))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undoable {
    Any,
    Player(PoolId, PlayerId),
    /// Only starts of seasons of the given pool can be undone.
    Season(PoolId),
}

/// Checks that the change of a player or the start of a season at `position` in the pool's log can be undone.
///
/// # Errors
/// Returns an error if the change is pruned. If any rounds are pruned, also for the start of a season before a
/// later start.
pub(crate) async fn check_undo(
    tx: &mut Tx,
    pool: &PoolRecord,
    (position, player): (u64, Option<PlayerId>),
    undoes: &ChangeId,
) -> Result<(), ServiceError> {
    if pool.pruned == 0 {
        return Ok(());
    }
    let is_pruned = position <= pool.pruned;
    match player {
        Some(_) if is_pruned => Err(ServiceError::ChangePruned(undoes.clone())),
        None if is_pruned => Err(ServiceError::SeasonPruned(undoes.clone())),
        Some(_) => Ok(()),
        None => {
            let starts = tx.season_starts(pool.id).await?;
            // The later standings include players whose rounds are all pruned, so the standings cannot be computed
            // again.
            match starts.last().filter(|last| last.position > position) {
                Some(_) => Err(ServiceError::LaterSeason(undoes.clone())),
                None => Ok(()),
            }
        }
    }
}

/// Returns the last change of a player by an admin that is not undone; `None` if that change is pruned.
pub(crate) async fn last_change(
    tx: &mut Tx,
    pool: PoolId,
    player: PlayerId,
) -> Result<Option<LastChangeAnswer>, StoreError> {
    let changes = tx.changes_of_players(pool, &[player]).await?;
    let is_undone = |place: u64| {
        changes.iter().any(
            |change| matches!(change.changed, Changed::Undo { position, .. } if position == place),
        )
    };
    let last = changes
        .iter()
        .rev()
        .find_map(|change| match change.changed {
            Changed::Player(_, kind) if !is_undone(change.position) => Some((kind, change)),
            _ => None,
        });
    let Some((kind, change)) = last else {
        return Ok(None);
    };
    if change.position <= tx.pool(pool).await?.pruned {
        return Ok(None);
    }
    let (name, rating) = match kind {
        ChangeKind::Set(rating) => ("set", Some(rating)),
        ChangeKind::Reset => ("reset", None),
    };
    Ok(Some(LastChangeAnswer {
        change: name.to_owned(),
        rating,
        change_id: change.change_id.clone(),
        reason: change.reason.clone(),
        at: change.made_at,
    }))
}
