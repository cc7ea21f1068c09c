//! `rbs restore`: a database as it was when a backup was made.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::backup::file::verify;
use super::backup::load::load;
use super::backup::summary;
use super::database::{Access, connect, open};
use super::signals::{Interrupted, stop_signal};
use super::terminal::json::{AsJson, print, print_json};
use super::terminal::words::plural;
use crate::config::Settings;
use crate::store::{DatabaseUrl, Store, StoreError, newest_migration};

/// `rbs restore`.
#[derive(Debug, Args)]
#[command(after_help = "\
Stop RBS before. The backup is read to its end first, and a database that has rounds is refused, unless --force is
given; where anything fails, the database is as it was. A backup of SQLite can be restored into PostgreSQL, and the
other way around. Behind it, `rbs check` compares every figure with the log.

With --json: file, database, at and version of the backup, rows of each of its tables, rounds, which the
database has before, restored, and seconds.")]
pub(super) struct Restore {
    /// The file that `rbs backup` made.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Change nothing; say what the backup holds and what would be done.
    #[arg(long)]
    dry_run: bool,
    /// Restore over a database that has rounds, which are gone then.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    report: AsJson,
}

impl Restore {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let started = Instant::now();
        let (header, rows) = verify(&self.file)?;
        let database = &settings.database;
        let stop = stop_signal()?;
        let there = if is_there(database) {
            let store = connect(database).await?;
            let counted = count_rounds(&store).await;
            store.close().await;
            counted.with_context(|| {
                format!("cannot look into the database {database}; name another, new one in DATABASE_URL")
            })?
        } else {
            0
        };
        let refused = there > 0 && !self.force;
        if !self.report.json {
            let text = format!(
                "Backup:    {}, of {} by RBS {}: {}\nDatabase:  {database} has {}\n",
                self.file.display(),
                header.at,
                header.version,
                summary(&rows),
                plural(there, "round"),
            );
            print(text.as_bytes())?;
        }
        if !self.dry_run {
            anyhow::ensure!(
                !refused,
                "nothing was changed: the database {database} has {}, which would be gone; name a new database in \
                 DATABASE_URL, or give --force",
                plural(there, "round")
            );
            let restoring = Box::pin(restore(&settings, &self.file));
            tokio::select! {
                restored = restoring => restored?,
                () = stop => return Err(Interrupted.into()),
            }
        }
        if self.report.json {
            return print_json(&json!({
                "file": self.file, "database": database.to_string(), "at": header.at,
                "version": header.version, "rows": rows, "rounds": there,
                "restored": !self.dry_run, "seconds": started.elapsed().as_secs_f64(),
            }));
        }
        let text = match (self.dry_run, refused) {
            (true, true) => "Refused:   without --force, because those rounds would be gone\n",
            (true, false) => {
                "Not done:  without --dry-run the database would be as the backup is\n"
            }
            (false, _) => "Restored:  `rbs check` compares every figure with the log\n",
        };
        Ok(print(text.as_bytes())?)
    }
}

/// Restores the backup, and brings the tables from its version to this one's.
async fn restore(settings: &Settings, file: &Path) -> anyhow::Result<()> {
    let store = connect(&settings.database).await?;
    let loaded = load(&store, file).await;
    store.close().await;
    loaded?;
    open(settings, Access::Read).await?.close().await;
    Ok(())
}

/// Whether there is a database to look into: a server, or a file.
fn is_there(database: &DatabaseUrl) -> bool {
    match database {
        DatabaseUrl::Postgres(_) => true,
        DatabaseUrl::Sqlite { path } => path.exists(),
    }
}

/// How many rounds the database has.
async fn count_rounds(store: &Store) -> anyhow::Result<u64> {
    let mut tx = store.begin_read().await?;
    let known = newest_migration();
    match tx.migration().await? {
        Some(found) if found > known => Err(StoreError::Newer { found, known }.into()),
        _ => Ok(tx.count_rows("rounds").await?),
    }
}
