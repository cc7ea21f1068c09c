//! What admins make of rounds that were counted.

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

/// What an admin wants of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundCommand {
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// What it is to become.
    pub action: RoundAction,
    /// Why, and under which name.
    pub note: ChangeNote,
}

/// Whether a change of what was counted took effect in the time given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// It did, or had done so before.
    Done,
    /// The ratings are still being computed, and it takes effect with them.
    UnderWay,
}

impl Service {
    /// Voids a round, so that every rating becomes as if it had never been played, restores it, or corrects its
    /// winner. What is so already stays so, and is no error. Where it takes longer than `timeout`, it goes
    /// on by itself, as it does where nobody waits for it any more; a stop of the service undoes it, and so does
    /// [`Service::cancel_rebuild`].
    ///
    /// # Errors
    /// A round that is not there, or that is pruned; a rebuild of its pool under way; a stop; a log that
    /// cannot be replayed. The ratings are then as they were.
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
        let mut under_way = self.change_under_way(&mut tx, &found).await?;
        if under_way.is_some() {
            drop(tx);
            let wait = self.outwait_dead_rebuild(found.pool.id);
            timeout_at(deadline, wait).await.unwrap_or(Ok(()))?;
            tx = self.store.begin_read().await?;
            under_way = self.change_under_way(&mut tx, &found).await?;
        }
        match under_way {
            // Sent again, it is what goes on already.
            Some((action, _)) if action == command.action => return Ok(RoundOutcome::UnderWay),
            Some(_) => return Err(ServiceError::RebuildUnderWay(found.pool.name)),
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

    /// Computes a pool again with `change` in its log, apart from whoever asks; waits for it that long.
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
            // Whoever asked need not wait until the former figures are gone.
            if is_changed {
                service.clear_retired(&pool, Generation::default()).await;
            }
        });
        match tokio::time::timeout(timeout, answered).await {
            Err(_) => Ok(RoundOutcome::UnderWay),
            Ok(Ok(done)) => done.map(|()| RoundOutcome::Done),
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
        let within = self.pools.now().void_own_within;
        if within.is_zero() {
            return Err(ServiceError::OwnVoidsOff);
        }
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server.clone(), round_id.clone())).await?;
        let logged = &found.round.logged;
        let is_late = logged.received_at.later(within) < self.clock.now();
        // A request that is sent again asks how the first one ended.
        let is_repeated =
            logged.voided_at.is_some() || self.change_under_way(&mut tx, &found).await?.is_some();
        if is_late && !is_repeated {
            let minutes = within.as_secs() / 60;
            return Err(ServiceError::TooLateToVoid(minutes));
        }
        Ok(found.pool.name)
    }

    /// Does to a round what was done to it according to a file; `false` where it had been done before.
    ///
    /// # Errors
    /// As [`Service::change_round`]; a name that was used for another change.
    pub async fn apply_round_change(&self, line: RoundChangeLine) -> Result<bool, ServiceError> {
        match Box::pin(self.find_change(line)).await? {
            // The future is large, and whoever awaits it would be as large.
            Some((pool, change)) => Box::pin(self.apply_to_log(&pool, change)).await,
            None => Ok(false),
        }
    }

    /// Computes a pool again with `change` of a file in its log; `false` where all is as that has it already.
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

    /// What is to be done to the round, and in which pool; `None` where that was done before, or it is so already.
    async fn find_change(
        &self,
        line: RoundChangeLine,
    ) -> Result<Option<(PoolRecord, LogChange)>, ServiceError> {
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

/// What `line` makes of that round.
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

/// Notes why a change was not made where nobody waits for the answer any more.
fn log_unobserved_failure(error: &ServiceError, pool: &PoolName, change_id: &ChangeId) {
    match error {
        // So it is to be: whoever stops the service or calls it off need not look for a fault.
        ServiceError::RebuildStopped(_) => tracing::info!(
            %pool, %change_id,
            "The service was stopped before a change of the log took effect; all is as it was"
        ),
        ServiceError::RebuildCancelled(_) => tracing::info!(
            %pool, %change_id,
            "A change of the log was called off; all is as it was"
        ),
        error => tracing::error!(
            error = ?error, %pool, %change_id,
            "A change of the log could not be made, and nobody waited for the answer"
        ),
    }
}
