//! What admins make of rounds, and of changes of players, on its way into the log.

use serde_json::{Value, json};

use super::alternative::{Assumed, marks_of};
use super::rebuild::Rebuild;
use crate::api::{RoundChangeLine, UndoLine};
use crate::domain::{ChangeId, PlayerId, Rating, RoundAction, Timestamp, Winner};
use crate::service::ServiceError;
use crate::service::audit::{self, Author, player_figures};
use crate::service::players::undo::check_undo;
use crate::service::rounds::answer::round_pruned;
use crate::store::{
    AuditEntry, Change, Changed, PoolId, PoolRecord, RebuiltRounds, RoundMarks, SettingsId,
    StoreError, Tx,
};

/// Something that a rebuild puts into the log, in the transaction that switches over.
#[derive(Clone, Debug)]
pub(crate) enum LogChange {
    /// What becomes of one round.
    Round(RoundChange),
    /// Rounds of a server that are voided together.
    Rounds(RoundsVoid),
    /// The change of a player, or the start of a season, that is undone.
    Undo(ChangeUndo),
}

/// What an admin makes of a round.
#[derive(Clone, Debug)]
pub(crate) struct RoundChange {
    pub(crate) line: RoundChangeLine,
    /// The round's place in the log.
    pub(crate) position: u64,
    /// How it ended as reported.
    pub(crate) reported: Winner,
    /// What had been made of it before.
    pub(crate) marks: RoundMarks,
    /// The constants that the round is rated by.
    pub(crate) settings: SettingsId,
    /// The players whose ratings stand in the audit.
    pub(crate) participants: Vec<PlayerId>,
}

/// Rounds that are voided together.
#[derive(Clone, Debug)]
pub(crate) struct RoundsVoid {
    /// The rounds, in the order of the log.
    pub(crate) rounds: Vec<RoundChange>,
    /// What all of it is named in the audit.
    pub(crate) id: ChangeId,
    /// Which rounds, for the audit.
    pub(crate) which: Value,
    pub(crate) reason: Option<String>,
    pub(crate) at: Timestamp,
}

/// The change of a player, or the start of a season, on its way to be undone.
#[derive(Clone, Debug)]
pub(crate) struct ChangeUndo {
    pub(crate) line: UndoLine,
    /// The place in the log of what is undone.
    pub(crate) position: u64,
    /// The player; `None` where it is the start of a season.
    pub(crate) player: Option<PlayerId>,
    /// The constants by which that was done.
    pub(crate) settings: SettingsId,
}

impl LogChange {
    /// What the log is to be computed with, at which places of it.
    pub(super) fn assumed(&self) -> Vec<(u64, Assumed)> {
        match self {
            Self::Round(round) => vec![round.assumed()],
            Self::Rounds(void) => void.rounds.iter().map(RoundChange::assumed).collect(),
            Self::Undo(undo) => vec![(undo.position, Assumed::Undone)],
        }
    }

    /// Whom it concerns.
    pub(super) fn players(&self) -> Vec<PlayerId> {
        match self {
            Self::Round(round) => round.participants.clone(),
            Self::Rounds(void) => void
                .rounds
                .iter()
                .flat_map(|round| round.participants.clone())
                .collect(),
            Self::Undo(undo) => undo.player.into_iter().collect(),
        }
    }

    /// The first place of the log that it concerns.
    pub(super) fn first(&self) -> u64 {
        match self {
            Self::Round(round) => round.position,
            Self::Rounds(void) => void.rounds.first().map_or(1, |round| round.position),
            Self::Undo(undo) => undo.position,
        }
    }

    /// What is shown of it while it is under way.
    pub(super) fn shown(&self) -> Option<RebuiltRounds> {
        match self {
            Self::Round(round) => Some(RebuiltRounds {
                position: round.position,
                action: round.line.action,
                rounds: 1,
            }),
            Self::Rounds(void) => Some(RebuiltRounds {
                position: self.first(),
                action: RoundAction::Void,
                rounds: void.rounds.len() as u64,
            }),
            Self::Undo(_) => None,
        }
    }

    /// Whether there is anything to do, by the log of the locked pool: from here on nobody else can change what
    /// became of its rounds. What of many is so already is left out.
    ///
    /// # Errors
    /// What is pruned.
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

    /// What it is named, or the first of several.
    pub(crate) fn change_id(&self) -> ChangeId {
        match self {
            Self::Round(round) => round.line.change_id.clone(),
            Self::Rounds(void) => void.id.clone(),
            Self::Undo(undo) => undo.line.change_id.clone(),
        }
    }

    /// Whether it notes itself what became of the round at that place of the log.
    pub(super) fn notes(&self, position: u64) -> bool {
        match self {
            Self::Round(round) => round.position == position,
            Self::Rounds(void) => {
                let its = |round: &RoundChange| round.position.cmp(&position);
                void.rounds.binary_search_by(its).is_ok()
            }
            Self::Undo(_) => false,
        }
    }
}

impl Rebuild {
    /// Puts `change` into the log of the locked pool, in the transaction that switches over, before that writes
    /// who the players are. Answers its entry in the audit.
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
                tx.insert_change(locked.id, &undo.change(locked.log_length))
                    .await?;
                let line = undo.line;
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

impl ChangeUndo {
    /// What the log has of it at the place `position`.
    fn change(&self, position: u64) -> Change {
        Change {
            position,
            change_id: self.line.change_id.clone(),
            changed: Changed::Undo {
                position: self.position,
                player: self.player,
            },
            reason: self.line.reason.clone(),
            made_at: self.line.at,
            settings: self.settings,
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

    /// Puts it into the log, and notes it of the round.
    async fn write(&self, tx: &mut Tx, locked: &mut PoolRecord) -> Result<(), StoreError> {
        locked.log_length += 1;
        let mut marks = self.marks;
        marks.apply(self.line.action, locked.log_length);
        tx.insert_change(locked.id, &self.change(locked.log_length))
            .await?;
        tx.set_round_marks(locked.id, self.position, marks.of_reported(self.reported))
            .await
    }

    /// What the log has of it at the place `position`.
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

    /// Its entry in the audit, with the participants' ratings `before` and `after`.
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
        let action = (line.action.name().text(), line.change_id.as_str());
        AuditEntry {
            round: Some((line.server.clone(), line.round_id.clone())),
            reason: line.reason.clone(),
            ..audit::entry(action, by, line.at, pool, figures)
        }
    }
}
