//! Switch-over: the end of a rebuild, which activates the computed figures.

use std::collections::BTreeMap;

use serde_json::json;

use super::lease::begin;
use super::rebuild::{PAGE, Rebuild};
use super::seasons::{self, standings_given};
use super::{Replay, ReplayError, log_page};
use crate::random;
use crate::rating::{GroupKind, RoundGroup};
use crate::service::ServiceError;
use crate::service::audit::{self, Author};
use crate::store::{AuditEntry, PoolRecord, StoreError, Tx};

impl Rebuild {
    /// Finishes the rebuild under the pool's lock: computes the log entries added meanwhile, appends the admin's change
    /// to the log, if any, and activates the computed rows.
    pub(super) async fn switch_over(&mut self, by: Author) -> Result<(), ServiceError> {
        self.lease.check_running()?;
        let mut tx = begin(&self.lease.store).await?;
        let mut locked = tx.lock_pool(self.lease.pool).await?;
        self.lease.renew(&mut tx, self.progress()).await?;
        tx.finish_rebuild(self.lease.pool, &self.lease.owner)
            .await?;
        loop {
            let position = self.replay.position;
            let page = log_page(&mut tx, self.lease.pool, position, PAGE).await?;
            self.prepare_page(&mut tx, &page).await?;
            if page.is_empty() {
                break;
            }
            self.apply(page)?;
        }
        if self.replay.position != locked.log_length {
            return Err(ReplayError::Gap(self.replay.position + 1).into());
        }
        let before = locked.clone();
        let engine = &self.replay.engine;
        locked.generation = self.generation;
        locked.model = self.model;
        locked.model_state = engine.model().state().map_err(StoreError::from)?;
        locked.sums = engine.sums();
        if let Some(Replay { engine: was, .. }) = &self.before {
            let (was, is) = (was.sums(), engine.sums());
            locked.sums.calibration = before
                .sums
                .calibration
                .replaced(&was.calibration, &is.calibration);
            locked.sums.experience = before
                .sums
                .experience
                .replaced(&was.experience, &is.experience);
        }
        let change = self.change.take();
        for (position, marks) in self.stale_marks.drain(..) {
            if change.as_ref().is_none_or(|change| !change.notes(position)) {
                tx.set_round_marks(self.lease.pool, position, marks).await?;
            }
        }
        let audited = match change {
            Some(change) => {
                let change_id = change.change_id();
                let written = self.write_change(&mut tx, &mut locked, change, by);
                written.await.map_err(|error| match error {
                    // Another change took the id meanwhile.
                    StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change_id),
                    error => error.into(),
                })?
            }
            None => self.audited(&before, &locked, by)?,
        };
        tx.insert_audit(&audited).await?;
        self.write_standings(&mut tx, &locked).await?;
        self.write_last_players(&mut tx).await?;
        let mut rows = self.rows.take_unwritten(0);
        while !rows.is_empty() {
            rows.write_some(&mut tx, self.lease.pool, self.lease.service.rebuild_rows)
                .await?;
        }
        self.write_groups(&mut tx).await?;
        tx.save_pool(&locked).await?;
        Ok(tx.commit().await?)
    }

    async fn write_standings(
        &mut self,
        tx: &mut Tx,
        locked: &PoolRecord,
    ) -> Result<(), StoreError> {
        let ended = std::mem::take(&mut self.ended_seasons);
        let given = standings_given(tx, self.lease.pool, (ended, locked.pruned == 0)).await?;
        seasons::write_standings(tx, self.lease.pool, &given).await
    }

    /// Corrects the stored totals of every group of rounds, such as the scores and log losses of a map, by the
    /// difference between recomputed and former totals.
    async fn write_groups(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let mut added = self.replay.engine.take_groups();
        let mut was = BTreeMap::new();
        if let Some(before) = &mut self.before {
            was = before.engine.take_groups();
        } else {
            for kind in GroupKind::ALL {
                let groups = tx
                    .groups(self.lease.pool, kind, u32::MAX)
                    .await?
                    .into_iter();
                was.extend(groups.map(|(name, sums)| (RoundGroup { kind, name }, sums)));
            }
        }
        for (group, sums) in was {
            let entry = added.entry(group).or_default();
            *entry = entry.minus(sums);
        }
        tx.add_to_groups(self.lease.pool, &added).await?;
        tx.delete_empty_groups(self.lease.pool).await
    }

    fn audited(
        &self,
        before: &PoolRecord,
        after: &PoolRecord,
        by: Author,
    ) -> Result<AuditEntry, ServiceError> {
        let id = random::hex::<16>().map_err(ServiceError::internal)?;
        let is_switch = before.model != after.model;
        let figures = |pool: &PoolRecord| {
            let (rounds, brier) = (
                pool.sums.predictions.rounds,
                pool.sums.predictions.scores().brier,
            );
            let mut figures = json!({"rounds": rounds, "brier": brier});
            if is_switch {
                figures["model"] = json!(pool.model);
            }
            figures.to_string()
        };
        let figures = (figures(before), figures(after));
        let action = if is_switch { "switch" } else { "rebuild" };
        Ok(audit::entry(
            (action, &id),
            by,
            self.lease.service.clock.now(),
            self.lease.pool,
            figures,
        ))
    }
}
