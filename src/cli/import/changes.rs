//! Import of the admin changes between the rounds of a file, and refusals of lines.

use std::collections::BTreeSet;

use super::lines::Fault;
use super::{MissingPools, Run};
use crate::cli::database::with_retries;
use crate::cli::signals::Interrupted;
use crate::domain::PoolName;
use crate::service::{Pool, Service, ServiceError};

impl Run<'_> {
    /// Makes an admin change in the pool that a line of the import names. Refuses the line if there is no such pool.
    pub(super) async fn change_pool(
        &mut self,
        place: &str,
        named: &PoolName,
        mut make: impl AsyncFnMut(&Service, &Pool) -> Result<bool, ServiceError>,
    ) -> anyhow::Result<()> {
        self.count_batch().await?;
        let name = self.options.pool.as_ref().unwrap_or(named);
        let pool = match self.service.pool(Some(name), None) {
            Ok(pool) => pool,
            Err(error) => return self.refuse_pool(place, &error),
        };
        let outcome = with_retries(async || make(self.service, &pool).await).await;
        if self.take_outcome(place, outcome)? {
            self.pools.insert(pool.name.clone(), pool);
        }
        Ok(())
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
        self.show_progress();
        Ok(true)
    }

    /// Refuses a line of the import because of its pool. If the import cannot continue without the pool, the rest of
    /// the files is first searched for other missing pools.
    pub(super) fn refuse_pool(&mut self, place: &str, error: &ServiceError) -> anyhow::Result<()> {
        match error {
            ServiceError::NoSuchPool(pool)
                if self.options.pool.is_none() && !self.options.keep_going =>
            {
                self.tally.bad += 1;
                self.missing = Some(MissingPools {
                    place: place.to_owned(),
                    pools: BTreeSet::from([pool.clone()]),
                });
                Ok(())
            }
            error => self.refuse(place, &Fault::Pool(error.to_string())),
        }
    }

    pub(super) fn refuse(&mut self, place: &str, fault: &Fault) -> anyhow::Result<()> {
        let (count, advice) = match fault {
            Fault::Line(_) | Fault::Skipped(_) => (
                &mut self.tally.bad,
                "fix the line, or skip bad lines with --keep-going, and run the import again: no round \
                 is counted twice",
            ),
            Fault::Pool(_) => (
                &mut self.tally.bad,
                "declare the pool, or name another with --pool, and run the import again: no round is \
                 counted twice",
            ),
            Fault::File(_) => (
                &mut self.tally.unread,
                "get the complete file and run the import again: no round is counted twice",
            ),
        };
        *count += 1;
        if self.options.keep_going {
            self.print_line(&format!("{place}: {fault}"));
            return Ok(());
        }
        anyhow::bail!("{place}: {fault}; {advice}")
    }
}
