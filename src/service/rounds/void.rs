use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::record::NamedVoid;
use crate::domain::{ChangeId, PlayerId, PoolName, Rating, RoundId, ServerName, Timestamp};
use crate::service::audit;
use crate::service::audit::Author;
use crate::service::players::adjust::{ChangeNote, change_name};
use crate::service::replay::lease::lease_cutoff;
use crate::service::replay::projection::Projection;
use crate::service::{Service, ServiceError};
use crate::store::{
    AuditEntry, Change, Changed, PoolRecord, RecordedRound, SettingsId, StoreError, Tx,
};

/// What an admin wants of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidCommand {
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// Whether it shall be as if never played; else it counts again.
    pub void: bool,
    /// What is said of it.
    pub note: ChangeNote,
}

/// A void or a restoration on its way into the log.
#[derive(Clone, Debug)]
pub(crate) struct VoidChange {
    /// The round's place in the log.
    pub(crate) position: u64,
    pub(crate) void: bool,
    names: (ServerName, RoundId),
    settings: SettingsId,
    participants: Vec<PlayerId>,
    pub(crate) change_id: ChangeId,
    reason: Option<String>,
    made_at: Timestamp,
}

/// Whether a mark took effect in the time given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoidOutcome {
    /// It did, or had done so before.
    Done,
    /// The ratings are still being computed, and it takes effect with them.
    UnderWay,
}

impl Service {
    /// Voids a round, so that every rating becomes as if it had never been played, or restores it.
    /// What is so already stays so, and is no error. Where it takes longer than `timeout`, it goes
    /// on by itself, as it does where nobody waits for it any more; a stop of the service undoes it.
    ///
    /// # Errors
    /// A round that is not there; a rebuild of its pool under way; a stop; a log that cannot be
    /// replayed. The ratings are then as they were.
    pub async fn mark_round(
        &self,
        mark: VoidCommand,
        by: Author,
        timeout: Duration,
    ) -> Result<VoidOutcome, ServiceError> {
        let (pool, under_way) = self.mark_under_way(&mark).await?;
        match under_way {
            // Sent again, it is what goes on already.
            Some(void) if void == mark.void => return Ok(VoidOutcome::UnderWay),
            Some(_) => return Err(ServiceError::RebuildUnderWay(pool)),
            None => {}
        }
        let (answer, answered) = oneshot::channel();
        let service = self.clone();
        let change_id = change_name(mark.note.change_id.clone())?;
        let now = self.clock.now();
        self.marks.spawn(async move {
            let marked = service
                .mark_round_at(mark.clone(), &change_id, now, by)
                .await;
            let pool = marked.as_ref().ok().and_then(Option::as_ref).cloned();
            match answer.send(marked.map(drop)) {
                Ok(()) | Err(Ok(())) => {}
                // So it is to be: whoever stops the service need not look for a fault.
                Err(Err(ServiceError::RebuildStopped(pool))) => tracing::info!(
                    %pool, server = %mark.server, round_id = %mark.round_id,
                    "The service was stopped before the round was marked; it is as it was"
                ),
                Err(Err(error)) => tracing::error!(
                    error = ?error, server = %mark.server, round_id = %mark.round_id,
                    "A round could not be marked, and nobody waited to be told"
                ),
            }
            // Whoever asked need not wait until the former figures are gone.
            if let Some(pool) = pool {
                service.clear_retired(&pool).await;
            }
        });
        match tokio::time::timeout(timeout, answered).await {
            Err(_) => Ok(VoidOutcome::UnderWay),
            Ok(Ok(marked)) => marked.map(|()| VoidOutcome::Done),
            Ok(Err(died)) => Err(ServiceError::internal(died)),
        }
    }

    /// The pool of the round, and whether it is being voided (`true`) or restored at the moment.
    async fn mark_under_way(
        &self,
        mark: &VoidCommand,
    ) -> Result<(PoolName, Option<bool>), ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let names = (mark.server.clone(), mark.round_id.clone());
        let Found { pool, round } = find(&mut tx, &names).await?;
        let lease_cutoff = lease_cutoff(self.clock.now());
        let position = round.logged.position;
        let under_way = tx.mark_under_way(pool.id, position, lease_cutoff).await?;
        Ok((pool.name, under_way))
    }

    /// Does to a round what a file says was done to it; `false` where it had been done before.
    ///
    /// # Errors
    /// As [`Service::mark_round`]; a name that was used for another change.
    pub async fn apply_mark(
        &self,
        names: (ServerName, RoundId),
        mark: NamedVoid,
    ) -> Result<bool, ServiceError> {
        let wanted = VoidCommand {
            server: names.0,
            round_id: names.1,
            void: mark.void,
            note: ChangeNote {
                reason: mark.reason,
                change_id: Some(mark.change_id.clone()),
            },
        };
        let marked = self.mark_round_at(wanted, &mark.change_id, mark.at, Author::CommandLine);
        let Some(pool) = marked.await? else {
            return Ok(false);
        };
        self.clear_retired(&pool).await;
        Ok(true)
    }

    /// The same, under the name `change_id` and made `at`, and not before it is done; the pool where
    /// something was changed.
    pub(crate) async fn mark_round_at(
        &self,
        mark: VoidCommand,
        change_id: &ChangeId,
        at: Timestamp,
        by: Author,
    ) -> Result<Option<PoolRecord>, ServiceError> {
        let names = (mark.server, mark.round_id);
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, &names).await?;
        let RecordedRound { logged, .. } = found.round;
        if let Some((made_in, made)) = tx.change(change_id).await? {
            let changed = Changed::Round {
                position: logged.position,
                void: mark.void,
            };
            return if made_in == found.pool.id && made.changed == changed {
                Ok(None)
            } else {
                Err(ServiceError::ChangeIdTaken(change_id.clone()))
            };
        }
        if logged.voided_at.is_some() == mark.void {
            return Ok(None);
        }
        drop(tx);
        let participants = logged.round.participants();
        let mark = VoidChange {
            position: logged.position,
            void: mark.void,
            names,
            settings: logged.settings,
            participants: participants.map(|(_, entry)| entry.id).collect(),
            change_id: change_id.clone(),
            reason: mark.note.reason,
            made_at: at,
        };
        let pool = found.pool;
        let watch = &mut |_| ();
        let done = Box::pin(self.rebuild_with(&pool, Some(mark), by, watch)).await?;
        Ok(done.map(|_| pool))
    }
}

/// A round with its pool.
pub(crate) struct Found {
    pub(crate) pool: PoolRecord,
    pub(crate) round: RecordedRound,
}

/// The round of that name.
pub(crate) async fn find(
    tx: &mut Tx,
    names: &(ServerName, RoundId),
) -> Result<Found, ServiceError> {
    let found = tx.rounds(std::slice::from_ref(names)).await?.pop();
    let round = found.ok_or_else(|| ServiceError::NoSuchRound {
        server: names.0.clone(),
        round_id: names.1.clone(),
    })?;
    let name = round.logged.round.parts().pool.clone().unwrap_or_default();
    let pools = tx.pools().await?;
    let pool = pools.into_iter().find(|pool| pool.name == name);
    Ok(Found {
        pool: pool.ok_or(StoreError::Corrupt {
            table: "rounds",
            column: "report",
        })?,
        round,
    })
}

impl VoidChange {
    /// Puts the mark into the log of the locked pool, in the transaction that puts `projection` in force;
    /// answers what the audit says of it.
    pub(crate) async fn write(
        self,
        tx: &mut Tx,
        locked: &mut PoolRecord,
        projection: &Projection,
        by: Author,
    ) -> Result<AuditEntry, StoreError> {
        locked.log_length += 1;
        let voided_at = self.void.then_some(locked.log_length);
        let change = Change {
            position: locked.log_length,
            change_id: self.change_id.clone(),
            changed: Changed::Round {
                position: self.position,
                void: self.void,
            },
            reason: self.reason.clone(),
            made_at: self.made_at,
            settings: self.settings,
        };
        let before = tx.players(locked.id, &self.participants).await?;
        tx.insert_change(locked.id, &change).await?;
        tx.mark_round(locked.id, self.position, voided_at).await?;
        let figures = |void: bool, rating: &dyn Fn(PlayerId) -> Option<Rating>| {
            let players: Vec<Value> = self
                .participants
                .iter()
                .map(|id| json!({"id": id, "rating": rating(*id)}))
                .collect();
            json!({"void": void, "players": players}).to_string()
        };
        let figures = (
            figures(!self.void, &|id| {
                let found = before.iter().find(|player| player.id == id);
                found.map(|player| player.rating)
            }),
            figures(self.void, &|id| {
                projection.known(id).map(|player| player.rating)
            }),
        );
        let action = if self.void { "void" } else { "unvoid" };
        let entry = audit::entry(
            (action, self.change_id.as_str()),
            by,
            self.made_at,
            locked.id,
            figures,
        );
        Ok(AuditEntry {
            round: Some(self.names),
            reason: self.reason,
            ..entry
        })
    }
}
