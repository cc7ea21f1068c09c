//! Changes that admins make to rounds and to earlier changes, before they enter the log.

use serde_json::{Value, json};

use super::alternative::{Assumed, marks_of};
use super::rebuild::Rebuild;
use crate::api::{RoundChangeLine, UndoLine};
use crate::domain::{ChangeId, PlayerId, Rating, Timestamp, Winner};
use crate::service::ServiceError;
use crate::service::audit::{self, Author, player_figures};
use crate::service::players::undo::check_undo;
use crate::service::rounds::answer::round_pruned;
use crate::store::{
    AuditEntry, Change, Changed, PoolId, PoolRecord, RebuiltRounds, RoundMarks, SettingsId,
    StoreError, Tx,
};

/// Change to log entries that a rebuild of ratings adds to the log, in the transaction that activates the new ratings.
#[derive(Clone, Debug)]
pub(crate) enum LogChange {
    Round(RoundChange),
    Rounds(RoundsVoid),
    Undo(ChangeUndo),
}

/// Void, restoration or correction of a round.
#[derive(Clone, Debug)]
pub(crate) struct RoundChange {
    pub(crate) line: RoundChangeLine,
    pub(crate) position: u64,
    pub(crate) reported: Winner,
    /// Voids and corrections of the round before this change.
    pub(crate) marks: RoundMarks,
    pub(crate) settings: SettingsId,
    /// Players whose ratings before and after the change of the round the audit entry lists.
    pub(crate) participants: Vec<PlayerId>,
}

#[derive(Clone, Debug)]
pub(crate) struct RoundsVoid {
    /// Rounds to void, in log order.
    pub(crate) rounds: Vec<RoundChange>,
    /// Id of the audit entry that records the void of all these rounds together.
    pub(crate) id: ChangeId,
    /// Selection criteria of the rounds to void, such as server and time range, as JSON for the audit entry.
    pub(crate) which: Value,
    pub(crate) reason: Option<String>,
    pub(crate) at: Timestamp,
}

/// Undo of a player change or a season start.
#[derive(Clone, Debug)]
pub(crate) struct ChangeUndo {
    pub(crate) line: UndoLine,
    pub(crate) position: u64,
    /// Player whose change is undone, or `None` for a season start.
    pub(crate) player: Option<PlayerId>,
    pub(crate) settings: SettingsId,
}

impl LogChange {
    /// Returns each log entry that this change affects: its log position, and the void, restoration, correction or undo
    /// that the rebuild assumes for it.
    pub(super) fn assumed(&self) -> Vec<(u64, Assumed)> {
        if let Self::Undo(undo) = self {
            return vec![(undo.position, Assumed::Undone)];
        }
        self.rounds().iter().map(RoundChange::assumed).collect()
    }

    fn rounds(&self) -> &[RoundChange] {
        match self {
            Self::Round(round) => std::slice::from_ref(round),
            Self::Rounds(void) => &void.rounds,
            Self::Undo(_) => &[],
        }
    }

    pub(super) fn players(&self) -> Vec<PlayerId> {
        if let Self::Undo(undo) = self {
            return undo.player.into_iter().collect();
        }
        let participants = self.rounds().iter().map(|round| &round.participants);
        participants.flatten().copied().collect()
    }

    pub(super) fn first(&self) -> u64 {
        if let Self::Undo(undo) = self {
            return undo.position;
        }
        self.rounds().first().map_or(1, |round| round.position)
    }

    /// Returns the log position, action and number of the changed rounds, to show with the progress of the rebuild.
    /// Returns `None` for an undo.
    pub(super) fn shown(&self) -> Option<RebuiltRounds> {
        let first = self.rounds().first()?;
        Some(RebuiltRounds {
            position: first.position,
            action: first.line.action,
            rounds: self.rounds().len() as u64,
        })
    }

    /// Returns `false` if the log of the locked pool has the change already. Removes rounds that are void already from
    /// a void of several rounds. Returns an error if a changed entry is pruned.
    pub(super) async fn check(
        &mut self,
        tx: &mut Tx,
        locked: &PoolRecord,
    ) -> Result<bool, ServiceError> {
        match self {
            Self::Round(round) => round.check(tx, locked).await,
            Self::Rounds(void) => {
                let mut left = Vec::with_capacity(void.rounds.len());
                for mut round in std::mem::take(&mut void.rounds) {
                    if round.check(tx, locked).await? {
                        left.push(round);
                    }
                }
                void.rounds = left;
                Ok(!void.rounds.is_empty())
            }
            Self::Undo(undo) => {
                let which = (undo.position, undo.player);
                check_undo(tx, locked, which, &undo.line.undoes).await?;
                let later = tx.changes_of_rounds(locked.id, undo.position, undo.position);
                Ok(later.await?.is_empty())
            }
        }
    }

    pub(crate) fn change_id(&self) -> ChangeId {
        match self {
            Self::Round(round) => round.line.change_id.clone(),
            Self::Rounds(void) => void.id.clone(),
            Self::Undo(undo) => undo.line.change_id.clone(),
        }
    }

    /// Returns `true` if [`Rebuild::write_change`] also stores the voids and corrections of the round at `position`.
    pub(super) fn notes(&self, position: u64) -> bool {
        let found = self
            .rounds()
            .binary_search_by_key(&position, |round| round.position);
        found.is_ok()
    }
}

impl Rebuild {
    /// Adds `change` to the log of the locked pool, in the switch-over transaction and before the players are written.
    /// Returns the audit entry.
    pub(super) async fn write_change(
        &self,
        tx: &mut Tx,
        locked: &mut PoolRecord,
        change: LogChange,
        by: Author,
    ) -> Result<AuditEntry, StoreError> {
        let engine = &self.replay.engine;
        let after = |id| self.rows.player(engine, id);
        match change {
            LogChange::Round(round) => {
                let before = tx.players(locked.id, &round.participants).await?;
                round.write(tx, locked).await?;
                let before = |id| {
                    let found = before.iter().find(|player| player.id == id);
                    found.map(|player| player.rating)
                };
                let after = |id| after(id).map(|player| player.rating);
                Ok(round.audited(by, locked.id, before, after))
            }
            LogChange::Rounds(void) => {
                for round in &void.rounds {
                    round.write(tx, locked).await?;
                }
                let figures = |is_void: bool| {
                    let mut figures = void.which.clone();
                    figures["rounds"] = json!(void.rounds.len());
                    figures["void"] = json!(is_void);
                    figures.to_string()
                };
                let figures = (figures(false), figures(true));
                let action = ("void_rounds", void.id.as_str());
                Ok(AuditEntry {
                    reason: void.reason,
                    ..audit::entry(action, by, void.at, locked.id, figures)
                })
            }
            LogChange::Undo(undo) => {
                let concerned: Vec<PlayerId> = undo.player.into_iter().collect();
                let before = tx.players(locked.id, &concerned).await?;
                locked.log_length += 1;
                let line = undo.line;
                let change = Change {
                    position: locked.log_length,
                    change_id: line.change_id.clone(),
                    changed: Changed::Undo {
                        position: undo.position,
                        player: undo.player,
                    },
                    reason: line.reason.clone(),
                    made_at: line.at,
                    settings: undo.settings,
                };
                tx.insert_change(locked.id, &change).await?;
                let known = |player| Option::map_or(player, "null".to_owned(), player_figures);
                let (figures, action) = if let Some(player) = undo.player {
                    ((known(before.first()), known(after(player))), "undo")
                } else {
                    tx.delete_season_standings(locked.id, undo.position).await?;
                    let season = json!({"change_id": line.undoes}).to_string();
                    ((season, "null".to_owned()), "undo_season")
                };
                let action = (action, line.change_id.as_str());
                Ok(AuditEntry {
                    player: undo.player,
                    reason: line.reason,
                    ..audit::entry(action, by, line.at, locked.id, figures)
                })
            }
        }
    }
}

impl RoundChange {
    fn assumed(&self) -> (u64, Assumed) {
        (self.position, Assumed::Round(self.line.action))
    }

    async fn check(&mut self, tx: &mut Tx, locked: &PoolRecord) -> Result<bool, ServiceError> {
        if self.position <= locked.pruned {
            let name = (self.line.server.clone(), self.line.round_id.clone());
            return Err(round_pruned(tx, locked, self.position, name).await?);
        }
        self.marks = marks_of(tx, locked.id, self.position).await?;
        Ok(!self.marks.has(self.line.action, self.reported))
    }

    /// Adds the void, restoration or correction to the log, and stores the round's new state.
    async fn write(&self, tx: &mut Tx, locked: &mut PoolRecord) -> Result<(), StoreError> {
        locked.log_length += 1;
        let mut marks = self.marks;
        marks.apply(self.line.action, locked.log_length);
        tx.insert_change(locked.id, &self.change(locked.log_length))
            .await?;
        tx.set_round_marks(locked.id, self.position, marks.of_reported(self.reported))
            .await
    }

    pub(crate) fn change(&self, position: u64) -> Change {
        Change {
            position,
            change_id: self.line.change_id.clone(),
            changed: Changed::Round {
                position: self.position,
                action: self.line.action,
            },
            reason: self.line.reason.clone(),
            made_at: self.line.at,
            settings: self.settings,
        }
    }

    /// Returns the audit entry of the change, with the participants' ratings `before` and `after` it.
    pub(crate) fn audited(
        &self,
        by: Author,
        pool: PoolId,
        before: impl Fn(PlayerId) -> Option<Rating>,
        after: impl Fn(PlayerId) -> Option<Rating>,
    ) -> AuditEntry {
        let line = &self.line;
        let mut then = self.marks;
        then.apply(line.action, self.position);
        let figures = |marks: RoundMarks, rating: &dyn Fn(PlayerId) -> Option<Rating>| {
            let players: Vec<Value> = self
                .participants
                .iter()
                .map(|id| json!({"id": id, "rating": rating(*id)}))
                .collect();
            let mut figures = json!({"void": marks.voided_at.is_some(), "players": players});
            if line.action.winner().is_some() {
                figures["winner"] = json!(marks.winner.unwrap_or(self.reported));
            }
            figures.to_string()
        };
        let figures = (figures(self.marks, &before), figures(then, &after));
        let action = (line.action.name().into(), line.change_id.as_str());
        AuditEntry {
            round: Some((line.server.clone(), line.round_id.clone())),
            reason: line.reason.clone(),
            ..audit::entry(action, by, line.at, pool, figures)
        }
    }
}
