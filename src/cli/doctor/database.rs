use std::time::Duration;

use super::Finding;
use crate::cli::database::connect;
use crate::cli::failure::explain;
use crate::cli::terminal::words::plural;
use crate::clock::Clock;
use crate::domain::Timestamp;
use crate::store::{DatabaseUrl, Store, StoreError, newest_migration};

const DATABASE: &str = "database";
const TABLES: &str = "tables";
const CLOCK: &str = "clock";
pub(super) const APART: Duration = Duration::from_mins(1);

pub(super) async fn check(database: &DatabaseUrl) -> Vec<Finding> {
    if let DatabaseUrl::Sqlite { path } = database
        && !path.exists()
    {
        // Connecting would create the file.
        return Vec::new();
    }
    let store = match connect(database).await {
        Ok(store) => store,
        Err(error) => {
            let remedy =
                "fix this error, then run `rbs doctor` again; `rbs restore` restores a backup";
            return vec![Finding::problem(DATABASE, explain(&error), remedy)];
        }
    };
    let mut findings = Vec::new();
    if let Err(error) = look_into(&store, &mut findings).await {
        findings.push(Finding::problem(
            DATABASE,
            explain(&error.into()),
            "check that DATABASE_URL names the right database, and run `rbs check`",
        ));
    }
    store.close().await;
    findings
}

async fn look_into(store: &Store, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
    let now = Clock::System.now();
    let mut tx = store.begin_read().await?;
    let found = tx.migration().await?;
    tx.check_migrations().await?;
    findings.push(tables(found));
    if let Some(there) = tx.server_time().await? {
        findings.push(clock(now, there, "PostgreSQL"));
    }
    if found.is_none() {
        return Ok(());
    }
    drop(tx);
    findings.push(match store.check_disk_space().await {
        Ok(()) => Finding::good(DATABASE, "it answers and accepts writes"),
        Err(error) => Finding::problem(
            DATABASE,
            explain(&error.into()),
            "give the user who runs RBS write access; with PostgreSQL, name the primary server in DATABASE_URL",
        ),
    });
    Ok(())
}

fn tables(found: Option<i64>) -> Finding {
    let known = newest_migration();
    match found {
        None => Finding::good(
            TABLES,
            "there are no tables yet; the first start creates them",
        ),
        Some(found) if found > known + 1 => Finding::problem(
            TABLES,
            format!(
                "a newer version of RBS made the tables (migration {found}; this version knows {known})"
            ),
            "run that version, or restore a backup from before the upgrade into a new database",
        ),
        Some(found) => match u64::try_from(known - found) {
            Ok(behind @ 1..) => Finding::warning(
                TABLES,
                format!(
                    "the tables are {} behind this version; the next start upgrades them",
                    plural(behind, "migration")
                ),
                "preview the upgrade with `rbs upgrade --check`, and make a backup with `rbs backup FILE`",
            ),
            _ => Finding::good(
                TABLES,
                format!("the tables match this version (migration {found})"),
            ),
        },
    }
}

pub(super) fn clock(here: Timestamp, there: Timestamp, whose: &str) -> Finding {
    let apart = here.duration_since(there).max(there.duration_since(here));
    if apart <= APART {
        return Finding::good(
            CLOCK,
            format!("this machine's clock agrees with that of {whose}"),
        );
    }
    let which = if here > there { "ahead of" } else { "behind" };
    Finding::problem(
        CLOCK,
        format!(
            "this machine's clock is {} s {which} that of {whose}",
            apart.as_secs()
        ),
        "set both clocks over the network (`timedatectl set-ntp true`); RBS orders rounds by their times",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::Status;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_seconds(seconds).unwrap()
    }

    #[test]
    fn tables_that_are_behind_are_upgraded_by_the_next_start() {
        let known = newest_migration();
        let behind = tables(Some(known - 1));
        assert_eq!(behind.status, Status::Warning);
        assert!(behind.says.contains("1 migration behind"), "{behind:?}");
        for found in [None, Some(known), Some(known + 1)] {
            assert_eq!(tables(found).status, Status::Good, "{found:?}");
        }
        assert_eq!(tables(Some(known + 2)).status, Status::Problem);
    }

    #[test]
    fn clocks_may_lie_a_minute_apart() {
        for (here, there, says) in [
            (1000, 1060, "agrees"),
            (1000, 1061, "61 s behind"),
            (1061, 1000, "61 s ahead of"),
        ] {
            let found = clock(at(here), at(there), "somebody");
            assert!(found.says.contains(says), "{found:?}");
            let is_good = found.status == Status::Good;
            assert_eq!(is_good, says == "agrees", "{found:?}");
        }
    }
}
