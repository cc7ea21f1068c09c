use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::backup::file::verify;
use super::backup::load::{check_version, load};
use super::backup::summary;
use super::backup::target_database::{TargetDatabase, has_tables};
use super::database::{Access, connect, open, without_timeouts};
use super::signals::{Interrupted, InterruptedBehindRestore, stop_signal};
use super::terminal::output::{AsJson, print, print_json};
use crate::config::Settings;
use crate::store::{DatabaseUrl, Store};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Stop RBS first. The restore begins only after the whole backup was read. A database that has rounds, admin changes,
prunes, audit entries or interventions is refused, unless --force is given; a database with tables of another program
is always refused. If the restore fails, the database stays as it was. A backup of SQLite can be restored into
PostgreSQL, and the other way around. Afterwards, `rbs check` compares every figure with the log.

With --json: file, database, at and version (of the backup), rows (the number for each table), rounds (in the database
before the restore), refused (true if --force is needed), restored, and seconds.")]
pub(super) struct Restore {
    /// File made by `rbs backup`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Change nothing; print the content of the backup and what a restore would do.
    #[arg(long)]
    dry_run: bool,
    /// Restore even if the database has content, which is then lost.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    report: AsJson,
}

impl Restore {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let started = Instant::now();
        let (header, rows) = verify(&self.file)?;
        check_version(&header, &self.file)?;
        let settings = Settings {
            database: without_timeouts(&settings.database),
            ..settings
        };
        let database = &settings.database;
        let stop = stop_signal()?;
        let is_there = match database {
            DatabaseUrl::Postgres(_) => true,
            DatabaseUrl::Sqlite { path } => path.exists(),
        };
        let there = if is_there {
            let store = connect(database).await?;
            let found = look(&store).await;
            store.close().await;
            found.with_context(|| {
                format!("cannot restore into the database {database}; nothing was changed")
            })?
        } else {
            TargetDatabase::default()
        };
        let refused = !there.is_empty() && !self.force;
        if !self.report.json {
            let text = format!(
                "Backup:    {}, made at {} by RBS {}: {}\nDatabase:  {database} has {}\n",
                self.file.display(),
                header.at,
                header.version,
                summary(&rows),
                there.summary(),
            );
            print(text.as_bytes())?;
        }
        if !self.dry_run {
            anyhow::ensure!(
                !refused,
                "nothing was changed: the database {database} has {}, which would be deleted; name a new \
                 database in DATABASE_URL, or give --force",
                there.summary()
            );
            let loaded = AtomicBool::new(false);
            let restoring = Box::pin(restore(&settings, &self.file, &loaded));
            tokio::select! {
                restored = restoring => restored?,
                () = stop => return Err(if loaded.load(Ordering::Relaxed) {
                    InterruptedBehindRestore.into()
                } else {
                    Interrupted.into()
                }),
            }
        }
        if self.report.json {
            return print_json(&json!({
                "file": self.file, "database": database.to_string(), "at": header.at,
                "version": header.version, "rows": rows, "rounds": there.rounds(),
                "refused": refused, "restored": !self.dry_run, "seconds": started.elapsed().as_secs_f64(),
            }));
        }
        let text = match (self.dry_run, refused) {
            (true, true) => {
                "Dry run:   without --force, the restore is refused: it would delete the data in the database\n"
            }
            (true, false) => {
                "Dry run:   nothing was changed; without --dry-run the backup would replace the database\n"
            }
            (false, _) => "Restored:  run `rbs check` to compare every figure with the log\n",
        };
        Ok(print(text.as_bytes())?)
    }
}

/// Restores the backup, and migrates the tables to this version. Sets `loaded` to `true` once the backup is in the
/// database.
async fn restore(settings: &Settings, file: &Path, loaded: &AtomicBool) -> anyhow::Result<()> {
    let database = &settings.database;
    let store = connect(database).await?;
    let result = load(&store, file).await;
    loaded.store(result.is_ok(), Ordering::Relaxed);
    store.close().await;
    result?;
    let opened = Box::pin(open(settings, Access::Read)).await;
    let service = opened.with_context(|| {
        format!(
            "the backup is restored into {database}, but its tables are not upgraded yet; run \
             `rbs upgrade`, or start the service, which does the same"
        )
    })?;
    service.close().await;
    Ok(())
}

async fn look(store: &Store) -> anyhow::Result<TargetDatabase> {
    let mut tx = store.begin_read().await?;
    if !has_tables(&mut tx).await? {
        return Ok(TargetDatabase::default());
    }
    let counted = TargetDatabase::count(&mut tx).await;
    counted.context("name a new, empty database in DATABASE_URL")
}
