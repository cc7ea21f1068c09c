//! `rbs upgrade`: migrates the tables to this version, or lists the pending migrations.

use std::fmt::Write as _;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::database::{Access, connect, must_exist, open, without_timeouts};
use super::terminal::output::{AsJson, print, print_json};
use super::terminal::words::plural;
use crate::config::Settings;
use crate::store::{Store, StoreError, migrations_behind, newest_migration};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every start of the service upgrades the database too. All migrations take effect together: if one fails, the database
stays as it was.

With --json and --check: found (the newest migration of the database, or null), known (the newest migration of this
program), migrations (those still to run, each with number and name), rounds, bytes, and previous_can_go_on (whether
instances of the database's version can keep working after the upgrade).")]
pub(super) struct Upgrade {
    /// Change nothing; print the migrations that an upgrade of the database would run.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    report: AsJson,
}

#[derive(Debug, Serialize)]
struct PendingMigration {
    number: i64,
    name: &'static str,
}

/// Report of `rbs upgrade`: the database's newest migration, the pending migrations, and the size of the data.
#[derive(Debug, Serialize)]
struct Plan {
    found: Option<i64>,
    known: i64,
    migrations: Vec<PendingMigration>,
    rounds: u64,
    bytes: u64,
    previous_can_go_on: bool,
}

impl Upgrade {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let settings = Settings {
            database: without_timeouts(&settings.database),
            ..settings
        };
        let database = &settings.database;
        let store = connect(database).await?;
        let plan = plan(&store).await;
        store.close().await;
        let plan = plan.with_context(|| format!("cannot upgrade the database {database}"))?;
        if !self.check {
            Box::pin(open(&settings, Access::Read)).await?.close().await;
        }
        if self.report.json {
            return print_json(&plan);
        }
        let text = if self.check {
            plan.text(&database.to_string())?
        } else {
            let known = plan.known.max(plan.found.unwrap_or(0));
            format!("{database} has schema version (migration) {known}\n")
        };
        Ok(print(text.as_bytes())?)
    }
}

/// Plans the upgrade of a database. Returns an error if this version of RBS cannot work with its migrations.
async fn plan(store: &Store) -> Result<Plan, StoreError> {
    let mut tx = store.begin_read().await?;
    let (known, found) = (newest_migration(), tx.migration().await?);
    tx.check_migrations().await?;
    let before = found.unwrap_or(0);
    if before > known + 1 {
        return Err(StoreError::Newer {
            found: before,
            known,
        });
    }
    let pending = |(number, name)| PendingMigration { number, name };
    let migrations: Vec<PendingMigration> =
        migrations_behind(before).into_iter().map(pending).collect();
    Ok(Plan {
        found,
        known,
        rounds: tx.count_rows("rounds").await?,
        bytes: tx.size().await?,
        previous_can_go_on: known <= before + 1,
        migrations,
    })
}

impl Plan {
    fn text(&self, database: &str) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let found = match self.found {
            Some(found) => format!("has schema version (migration) {found} of {}", self.known),
            None => "has no tables of RBS yet".to_owned(),
        };
        let rounds = plural(self.rounds, "round");
        writeln!(text, "{database} {found}: {rounds}, {} bytes", self.bytes)?;
        if self.migrations.is_empty() {
            writeln!(text, "It is up to date: nothing to do.")?;
            return Ok(text);
        }
        for migration in &self.migrations {
            writeln!(text, "{:>3}  {}", migration.number, migration.name)?;
        }
        if self.found.is_none() {
            return Ok(text);
        }
        let before = if self.previous_can_go_on {
            "The previous version can keep running, and you can return to it after the upgrade."
        } else {
            "Stop all instances of the previous version first: they cannot run after the upgrade."
        };
        writeln!(text, "{before}")?;
        writeln!(text, "Make a backup first: rbs backup FILE")?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{PendingMigration, Plan};

    #[test]
    fn a_plan_names_the_migrations_and_says_whether_instances_go_on() {
        let mut plan = Plan {
            found: Some(6),
            known: 7,
            migrations: vec![PendingMigration {
                number: 7,
                name: "remarks",
            }],
            rounds: 60,
            bytes: 8_192,
            previous_can_go_on: true,
        };
        assert_eq!(
            plan.text("sqlite://rbs.db").unwrap(),
            "sqlite://rbs.db has schema version (migration) 6 of 7: 60 rounds, 8192 bytes\n  7  remarks\n\
             The previous version can keep running, and you can return to it after the upgrade.\n\
             Make a backup first: rbs backup FILE\n"
        );
        plan.previous_can_go_on = false;
        let text = plan.text("sqlite://rbs.db").unwrap();
        assert!(text.contains("Stop all instances of the previous version first"));
    }
}
