//! The change of a player is taken back.

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
    /// Undoes a change of the player `id` in `pool`, so that every rating becomes as if it had never been made. What
    /// is undone already stays so. Goes on by itself where it takes longer than `timeout`, as
    /// [`Service::change_round`] does.
    ///
    /// # Errors
    /// No such change of the player; one that stands in front of what is pruned; a rebuild of the pool under way.
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

    /// Undoes `undoes`, which must be one `of` these.
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

    /// Undoes what was undone according to a file; `false` where it had been done before.
    ///
    /// # Errors
    /// As [`Service::undo_change`]; a name that was used for another change.
    pub async fn apply_undo(&self, line: UndoLine) -> Result<bool, ServiceError> {
        match Box::pin(self.find_undo(line, Undoable::Any)).await? {
            // The future is large, and whoever awaits it would be as large.
            Some((pool, undo)) => Box::pin(self.apply_to_log(&pool, undo)).await,
            None => Ok(false),
        }
    }

    /// What is to be undone, and in which pool; `None` where it was before.
    pub(crate) async fn find_undo(
        &self,
        line: UndoLine,
        of: Undoable,
    ) -> Result<Option<(PoolRecord, LogChange)>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let found =
            tx.change(&line.undoes)
                .await?
                .and_then(|(pool, change)| match change.changed {
                    Changed::Player(player, _) => {
                        let is_wanted = of == Undoable::Any || of == Undoable::Player(pool, player);
                        is_wanted.then_some((pool, Some(player), change))
                    }
                    Changed::Season(_) => {
                        let is_wanted = of == Undoable::Any || of == Undoable::Season(pool);
                        is_wanted.then_some((pool, None, change))
                    }
                    Changed::Round { .. } | Changed::Undo { .. } => None,
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

/// What may be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undoable {
    /// Whatever can be.
    Any,
    /// A change of that player in that pool.
    Player(PoolId, PlayerId),
    /// The start of a season of that pool.
    Season(PoolId),
}

/// Whether what stands at that place of the log of `pool` can be undone: a change of that player, or the start of a
/// season.
///
/// # Errors
/// What is pruned; where anything is, a start that another follows.
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
            // Its standings have those who played in pruned rounds alone, and no round to compute them from.
            match starts.last().filter(|last| last.position > position) {
                Some(_) => Err(ServiceError::LaterSeason(undoes.clone())),
                None => Ok(()),
            }
        }
    }
}

/// The last change of the player that counts, unless it is pruned.
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
    Ok(Some(LastChangeAnswer {
        change: match kind {
            ChangeKind::Set(_) => "set".to_owned(),
            ChangeKind::Reset => "reset".to_owned(),
        },
        rating: match kind {
            ChangeKind::Set(rating) => Some(rating),
            ChangeKind::Reset => None,
        },
        change_id: change.change_id.clone(),
        reason: change.reason.clone(),
        at: change.made_at,
    }))
}
