//! Refusals of lines of an import.

use std::collections::BTreeSet;

use super::lines::Fault;
use super::{MissingPools, Run};
use crate::service::ServiceError;

impl Run<'_> {
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
                "declare the pool, or name another with --pool, and run the import again: no \
                 round is counted twice",
            ),
            Fault::File(_) => (
                &mut self.tally.unread,
                "get the complete file and run the import again: no round is counted twice",
            ),
        };
        *count += 1;
        if self.options.keep_going {
            self.progress.print_line(&format!("{place}: {fault}"));
            return Ok(());
        }
        anyhow::bail!("{place}: {fault}; {advice}")
    }
}
