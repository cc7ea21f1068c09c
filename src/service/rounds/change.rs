//! Voids, restorations and corrections of recorded rounds.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use super::list::{FoundRound, find};
use crate::api::RoundChangeLine;
use crate::domain::{ChangeId, PoolName, RoundAction, RoundId, ServerName};
use crate::service::audit::Author;
use crate::service::players::adjust::{ChangeNote, change_name, was_made};
use crate::service::replay::round_change::{LogChange, RoundChange};
use crate::service::{Service, ServiceError};
use crate::store::{Changed, Generation, PoolRecord, RecordedRound};

/// Command of an admin to change a recorded round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundCommand {
    /// Name of the game server that reported the round.
    pub server: ServerName,
    /// Id of the round, unique on its game server.
    pub round_id: RoundId,
    /// Change to make to the round: void, restoration or correction.
    pub action: RoundAction,
    /// Reason and id that the admin gives for this change of the round.
    pub note: ChangeNote,
}

/// State of a change to a round when its caller stops waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// The change to the round has taken effect, now or earlier.
    Done,
    /// The ratings are still being computed. The change to the round takes effect together with them.
    InProgress,
}

impl Service {
    /// Voids a round, restores a round, or corrects its winner. A void makes every rating as if the round had never
    /// been played. A change that is already in effect is no error.
    ///
    /// A change that takes longer than `timeout` continues in the background, even if nobody waits for it. A stop of
    /// the service and [`Service::cancel_rebuild`] abandon the change.
    ///
    /// # Errors
    /// Returns an error if the round is unknown or pruned, if a rebuild of its pool is in progress, if the service
    /// stops, or if the log cannot be replayed. The ratings are unchanged then.
    pub async fn change_round(
        &self,
        command: RoundCommand,
        by: Author,
        timeout: Duration,
    ) -> Result<RoundOutcome, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let name = (command.server.clone(), command.round_id.clone());
        let found = find(&mut tx, name).await?;
        let deadline = Instant::now() + timeout;
        let mut in_progress = self.change_in_progress(&mut tx, &found).await?;
        if in_progress.is_some() {
            drop(tx);
            let wait = self.outwait_dead_rebuild(found.pool.id);
            timeout_at(deadline, wait).await.unwrap_or(Ok(()))?;
            tx = self.store.begin_read().await?;
            in_progress = self.change_in_progress(&mut tx, &found).await?;
        }
        match in_progress {
            // A repeated command refers to the change in progress.
            Some((action, _)) if action == command.action => return Ok(RoundOutcome::InProgress),
            Some(_) => return Err(ServiceError::RebuildInProgress(found.pool.name)),
            None => {}
        }
        drop(tx);
        let line = RoundChangeLine {
            action: command.action,
            change_id: change_name(command.note.change_id)?,
            server: command.server,
            round_id: command.round_id,
            reason: command.note.reason,
            at: self.clock.now(),
        };
        match Box::pin(self.find_change(line)).await? {
            Some((pool, change)) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.change_log(pool, change, by, left).await
            }
            None => Ok(RoundOutcome::Done),
        }
    }

    /// Recomputes a pool's ratings with `change` added to its log, in a background task. Waits up to `timeout` for the
    /// result.
    pub(crate) async fn change_log(
        &self,
        pool: PoolRecord,
        change: LogChange,
        by: Author,
        timeout: Duration,
    ) -> Result<RoundOutcome, ServiceError> {
        let (answer, answered) = oneshot::channel();
        let service = self.clone();
        let name = pool.name.clone();
        let change_id = change.change_id();
        self.rebuilds.spawn(async move {
            let watch = &mut |_| ();
            let rebuilding = service.rebuild_with(&pool, (None, Some(change)), by, watch);
            let done = Box::pin(rebuilding).await;
            let is_changed = matches!(done, Ok(Some(_)));
            match answer.send(done.map(drop)) {
                Ok(()) | Err(Ok(())) => {}
                Err(Err(error)) => log_unobserved_failure(&error, &name, &change_id),
            }
            // The caller need not wait for the deletion of the replaced rows.
            if is_changed {
                service.clear_retired(&pool, Generation::default()).await;
            }
        });
        match tokio::time::timeout(timeout, answered).await {
            Err(_) => Ok(RoundOutcome::InProgress),
            Ok(Ok(done)) => done.map(|()| RoundOutcome::Done),
            Ok(Err(died)) => Err(ServiceError::internal(died)),
        }
    }

    /// Returns the pool of a round that its game server may void, because the round arrived recently.
    pub async fn pool_of_own_round(
        &self,
        server: &ServerName,
        round_id: &RoundId,
    ) -> Result<PoolName, ServiceError> {
        let within = self.pools.now().void_own_within;
        if within.is_zero() {
            return Err(ServiceError::OwnVoidsOff);
        }
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server.clone(), round_id.clone())).await?;
        let logged = &found.round.logged;
        let is_late = logged.received_at.later(within) < self.clock.now();
        // A repeated request asks for the outcome of the first one.
        let is_repeated =
            logged.voided_at.is_some() || self.change_in_progress(&mut tx, &found).await?.is_some();
        if is_late && !is_repeated {
            let minutes = within.as_secs() / 60;
            return Err(ServiceError::TooLateToVoid(minutes));
        }
        Ok(found.pool.name)
    }

    /// Applies a void, restoration or correction from an import file. Returns `false` if the change is already in
    /// effect.
    pub async fn apply_round_change(&self, line: RoundChangeLine) -> Result<bool, ServiceError> {
        match Box::pin(self.find_change(line)).await? {
            // Boxed, because the future is large and would enlarge its callers.
            Some((pool, change)) => Box::pin(self.apply_to_log(&pool, change)).await,
            None => Ok(false),
        }
    }

    /// Recomputes a pool's ratings with `change`, read from an import file, added to its log. Returns `false` if the
    /// log has the change already.
    pub(crate) async fn apply_to_log(
        &self,
        pool: &PoolRecord,
        change: LogChange,
    ) -> Result<bool, ServiceError> {
        let watch = &mut |_| ();
        let rebuilding = self.rebuild_with(pool, (None, Some(change)), Author::CommandLine, watch);
        if Box::pin(rebuilding).await?.is_none() {
            return Ok(false);
        }
        self.clear_retired(pool, Generation::default()).await;
        Ok(true)
    }

    /// Returns the void, restoration or correction to make, and the pool of its round. Returns `None` if the change was
    /// made before or has no effect.
    async fn find_change(
        &self,
        line: RoundChangeLine,
    ) -> Result<Option<(PoolRecord, LogChange)>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let name = (line.server.clone(), line.round_id.clone());
        let found = match find(&mut tx, name).await {
            // The change was made before its round was pruned, so nothing is left to do.
            Err(ServiceError::RoundPruned(_)) if tx.change(&line.change_id).await?.is_some() => {
                return Ok(None);
            }
            found => found?,
        };
        let FoundRound { pool, round } = found;
        let logged = &round.logged;
        let change = Changed::Round {
            position: logged.position,
            action: line.action,
        };
        let is_so = logged.marks().has(line.action, logged.reported);
        if was_made(&mut tx, pool.id, &line.change_id, &change).await? || is_so {
            return Ok(None);
        }
        Ok(Some((pool, LogChange::Round(round_change(line, &round)))))
    }
}

pub(super) fn round_change(line: RoundChangeLine, round: &RecordedRound) -> RoundChange {
    let logged = &round.logged;
    let participants = logged.round.participants();
    RoundChange {
        line,
        position: logged.position,
        reported: logged.reported,
        marks: logged.marks(),
        settings: logged.settings,
        participants: participants.map(|(_, entry)| entry.id).collect(),
    }
}

/// Logs the failure of a change to the log whose caller no longer waits.
fn log_unobserved_failure(error: &ServiceError, pool: &PoolName, change_id: &ChangeId) {
    match error {
        // Stopping the service or cancelling the change is deliberate, and no fault.
        ServiceError::RebuildStopped(_) => tracing::info!(
            %pool, %change_id,
            "The service was stopped before a change to the pool's log took effect; nothing was changed"
        ),
        ServiceError::RebuildCancelled(_) => tracing::info!(
            %pool, %change_id,
            "A change to the pool's log was cancelled; nothing was changed"
        ),
        error => tracing::error!(
            error = ?error, %pool, %change_id,
            "A change to the pool's log failed after the client had stopped waiting for it"
        ),
    }
}
