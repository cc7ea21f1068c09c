use serde_json::{Value, json};

use crate::api::VoidLine;
use crate::domain::{PlayerId, Rating};
use crate::service::audit;
use crate::service::audit::Author;
use crate::store::{AuditEntry, Change, Changed, PoolId, PoolRecord, SettingsId, StoreError, Tx};

/// A void or a restoration on its way into the log.
#[derive(Clone, Debug)]
pub(crate) struct VoidChange {
    pub(crate) line: VoidLine,
    /// The round's place in the log.
    pub(crate) position: u64,
    /// The constants that the round is rated by.
    pub(crate) settings: SettingsId,
    /// The players whose ratings stand in the audit.
    pub(crate) participants: Vec<PlayerId>,
}

impl VoidChange {
    /// Puts it into the log of the locked pool, in the transaction that switches over, before that writes
    /// who the players are; `after` has their ratings. Answers its entry in the audit.
    pub(crate) async fn write(
        self,
        tx: &mut Tx,
        locked: &mut PoolRecord,
        after: impl Fn(PlayerId) -> Option<Rating>,
        by: Author,
    ) -> Result<AuditEntry, StoreError> {
        locked.log_length += 1;
        let voided_at = self.line.change.is_void().then_some(locked.log_length);
        let before = tx.players(locked.id, &self.participants).await?;
        tx.insert_change(locked.id, &self.change(locked.log_length))
            .await?;
        tx.set_voided_at(locked.id, self.position, voided_at)
            .await?;
        let before = |id| {
            let found = before.iter().find(|player| player.id == id);
            found.map(|player| player.rating)
        };
        Ok(self.audited(by, locked.id, before, after))
    }

    /// What the log has of it at the place `position`.
    pub(crate) fn change(&self, position: u64) -> Change {
        Change {
            position,
            change_id: self.line.change_id.clone(),
            changed: Changed::Round {
                position: self.position,
                action: self.line.change,
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
        let figures = |is_void: bool, rating: &dyn Fn(PlayerId) -> Option<Rating>| {
            let players = self.participants.iter();
            let players: Vec<Value> = players
                .map(|id| json!({"id": id, "rating": rating(*id)}))
                .collect();
            json!({"void": is_void, "players": players}).to_string()
        };
        let is_void = line.change.is_void();
        let figures = (figures(!is_void, &before), figures(is_void, &after));
        let action = (line.change.name(), line.change_id.as_str());
        AuditEntry {
            round: Some((line.server.clone(), line.round_id.clone())),
            reason: line.reason.clone(),
            ..audit::entry(action, by, line.at, pool, figures)
        }
    }
}
