use std::time::Duration;

use tokio::sync::oneshot;

use super::list::{FoundRound, find};
use crate::api::VoidLine;
use crate::domain::{PoolName, RoundId, ServerName, VoidAction};
use crate::service::audit::Author;
use crate::service::players::adjust::{ChangeNote, change_name, was_made};
use crate::service::replay::void_change::VoidChange;
use crate::service::{Service, ServiceError};
use crate::store::{Changed, Generation, PoolRecord};

/// What an admin wants of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidCommand {
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// What it is to become.
    pub action: VoidAction,
    /// Why, and under which name.
    pub note: ChangeNote,
}

/// Whether a void took effect in the time given.
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
    /// on by itself, as it does where nobody waits for it any more; a stop of the service undoes it, and so does
    /// [`Service::cancel_rebuild`].
    ///
    /// # Errors
    /// A round that is not there, or that is pruned; a rebuild of its pool under way; a stop; a log that
    /// cannot be replayed. The ratings are then as they were.
    pub async fn void_round(
        &self,
        command: VoidCommand,
        by: Author,
        timeout: Duration,
    ) -> Result<VoidOutcome, ServiceError> {
        let (server, round_id) = (command.server, command.round_id);
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server.clone(), round_id.clone())).await?;
        match self.void_under_way(&mut tx, &found).await? {
            // Sent again, it is what goes on already.
            Some((action, _)) if action == command.action => return Ok(VoidOutcome::UnderWay),
            Some(_) => return Err(ServiceError::RebuildUnderWay(found.pool.name)),
            None => {}
        }
        drop(tx);
        let line = VoidLine {
            change: command.action,
            change_id: change_name(command.note.change_id)?,
            server: server.clone(),
            round_id: round_id.clone(),
            reason: command.note.reason,
            at: self.clock.now(),
        };
        let (answer, answered) = oneshot::channel();
        let service = self.clone();
        self.rebuilds.spawn(async move {
            let done = service.void_and_rebuild(line, by).await;
            let pool = done.as_ref().ok().and_then(Option::as_ref).cloned();
            match answer.send(done.map(drop)) {
                Ok(()) | Err(Ok(())) => {}
                // So it is to be: whoever stops the service or calls it off need not look for a fault.
                Err(Err(ServiceError::RebuildStopped(pool))) => tracing::info!(
                    %pool, %server, %round_id,
                    "The service was stopped before the round was marked; it is as it was"
                ),
                Err(Err(ServiceError::RebuildCancelled(pool))) => tracing::info!(
                    %pool, %server, %round_id,
                    "The change of the round was called off; it is as it was"
                ),
                Err(Err(error)) => tracing::error!(
                    error = ?error, %server, %round_id,
                    "A round could not be voided or restored, and nobody waited for the answer"
                ),
            }
            // Whoever asked need not wait until the former figures are gone.
            if let Some(pool) = pool {
                service.clear_retired(&pool, Generation::default()).await;
            }
        });
        match tokio::time::timeout(timeout, answered).await {
            Err(_) => Ok(VoidOutcome::UnderWay),
            Ok(Ok(done)) => done.map(|()| VoidOutcome::Done),
            Ok(Err(died)) => Err(ServiceError::internal(died)),
        }
    }

    /// The pool of a round that its game server may void: one that arrived lately.
    ///
    /// # Errors
    /// A setting that lets no game server void rounds; a round that is not there, that is pruned, or that arrived too
    /// long ago.
    pub async fn pool_of_own_round(
        &self,
        server: &ServerName,
        round_id: &RoundId,
    ) -> Result<PoolName, ServiceError> {
        if self.void_own_within.is_zero() {
            return Err(ServiceError::OwnVoidsOff);
        }
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server.clone(), round_id.clone())).await?;
        let logged = &found.round.logged;
        let is_late = logged.received_at.later(self.void_own_within) < self.clock.now();
        // A request that is sent again asks how the first one ended.
        let is_repeated =
            logged.voided_at.is_some() || self.void_under_way(&mut tx, &found).await?.is_some();
        if is_late && !is_repeated {
            let minutes = self.void_own_within.as_secs() / 60;
            return Err(ServiceError::TooLateToVoid(minutes));
        }
        Ok(found.pool.name)
    }

    /// Does to a round what was done to it according to a file; `false` where it had been done before.
    ///
    /// # Errors
    /// As [`Service::void_round`]; a name that was used for another change.
    pub async fn apply_void(&self, line: VoidLine) -> Result<bool, ServiceError> {
        // The future is large, and whoever awaits it would be as large.
        let rebuilt = Box::pin(self.void_and_rebuild(line, Author::CommandLine));
        let Some(pool) = rebuilt.await? else {
            return Ok(false);
        };
        self.clear_retired(&pool, Generation::default()).await;
        Ok(true)
    }

    /// Voids or restores a round, and answers only when that is done; the pool where something was
    /// changed.
    async fn void_and_rebuild(
        &self,
        line: VoidLine,
        by: Author,
    ) -> Result<Option<PoolRecord>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let name = (line.server.clone(), line.round_id.clone());
        let found = match find(&mut tx, name).await {
            // What a file says that was done before it was pruned is done.
            Err(ServiceError::RoundPruned(_)) if tx.change(&line.change_id).await?.is_some() => {
                return Ok(None);
            }
            found => found?,
        };
        let FoundRound { pool, round } = found;
        let logged = round.logged;
        let change = Changed::Round {
            position: logged.position,
            action: line.change,
        };
        let is_so = logged.voided_at.is_some() == line.change.is_void();
        if was_made(&mut tx, pool.id, &line.change_id, change).await? || is_so {
            return Ok(None);
        }
        drop(tx);
        let participants = logged.round.participants();
        let void = VoidChange {
            line,
            position: logged.position,
            settings: logged.settings,
            participants: participants.map(|(_, entry)| entry.id).collect(),
        };
        let watch = &mut |_| ();
        let done = Box::pin(self.rebuild_with(&pool, (None, Some(void)), by, watch)).await?;
        Ok(done.map(|_| pool))
    }
}
