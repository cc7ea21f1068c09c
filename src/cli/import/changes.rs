//! Import of the admin changes between the rounds of a file.

use std::sync::Arc;

use super::lines::Fault;
use super::{Run, with_retries};
use crate::api::{ChangeLine, SeasonLine, UndoLine};
use crate::cli::signals::Interrupted;
use crate::domain::PoolName;
use crate::service::{Author, Pool, ServiceError};

impl Run<'_> {
    pub(super) async fn take_change(
        &mut self,
        place: String,
        line: ChangeLine,
    ) -> anyhow::Result<()> {
        self.count_batch().await?;
        let Some(pool) = self.pool_of_change(&place, &line.pool)? else {
            return Ok(());
        };
        let by = Author::CommandLine;
        let made = with_retries(async || self.service.apply_change(&pool, line.clone(), by).await);
        if self.take_outcome(&place, made.await)? {
            self.pools.insert(pool.name.clone(), pool);
        }
        Ok(())
    }

    pub(super) async fn take_season(
        &mut self,
        place: String,
        line: SeasonLine,
    ) -> anyhow::Result<()> {
        self.count_batch().await?;
        let Some(pool) = self.pool_of_change(&place, &line.pool)? else {
            return Ok(());
        };
        let by = Author::CommandLine;
        let start = async || Box::pin(self.service.apply_season(&pool, line.clone(), by)).await;
        let made = with_retries(start).await;
        if self.take_outcome(&place, made)? {
            self.pools.insert(pool.name.clone(), pool);
        }
        Ok(())
    }

    /// Returns the pool of an imported admin change. `None` if there is no such pool, after refusing the line.
    fn pool_of_change(
        &mut self,
        place: &str,
        named: &PoolName,
    ) -> anyhow::Result<Option<Arc<Pool>>> {
        let name = self.options.pool.as_ref().unwrap_or(named);
        match self.service.pool(Some(name), None) {
            Ok(pool) => Ok(Some(pool)),
            Err(error) => {
                self.refuse_pool(place, &error)?;
                Ok(None)
            }
        }
    }

    /// Adds the outcome of an admin change to the import's counts. Returns `true` if the change is in effect, by this
    /// import or an earlier one.
    pub(super) fn take_outcome(
        &mut self,
        place: &str,
        outcome: Result<bool, ServiceError>,
    ) -> anyhow::Result<bool> {
        match outcome {
            Ok(true) => self.tally.changes += 1,
            Ok(false) => self.tally.duplicates += 1,
            Err(
                error @ (ServiceError::ChangeIdTaken(_)
                | ServiceError::NoSuchRound { .. }
                | ServiceError::NoSuchChange(_)
                | ServiceError::ChangePruned(_)
                | ServiceError::NoSuchStart(_)
                | ServiceError::SeasonPruned(_)
                | ServiceError::LaterSeason(_)
                | ServiceError::SeasonNameTaken { .. }
                | ServiceError::RoundPruned(_)),
            ) => {
                self.refuse(place, &Fault::Line(error.to_string()))?;
                return Ok(false);
            }
            Err(ServiceError::RebuildStopped(_)) => return Err(Interrupted.into()),
            Err(error) => return Err(error.into()),
        }
        self.progress.tick(&self.tally);
        Ok(true)
    }

    /// Undoes a change of a player, as a line of the import says. Rebuilds the pool's ratings from the change on.
    pub(super) async fn take_undo(&mut self, place: String, line: UndoLine) -> anyhow::Result<()> {
        self.count_batch().await?;
        let done = with_retries(async || self.service.apply_undo(line.clone()).await);
        self.take_outcome(&place, done.await)?;
        Ok(())
    }
}
