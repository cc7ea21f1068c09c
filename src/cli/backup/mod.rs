//! `rbs backup`: writes the whole content of a database into a file that either database engine can restore.

pub(super) mod file;
mod folder;
pub(super) mod load;
pub(super) mod target_database;

use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::arguments::whole;
use super::database::{connect, must_exist, without_timeouts};
use super::export::target::Target;
use super::signals::{Interrupted, stop_signal};
use super::terminal::output::{AsJson, line, print, print_json};
use super::terminal::progress::Meter;
use super::terminal::words::plural;
use crate::clock::Clock;
use crate::config::Settings;
use crate::store::{Store, newest_migration};
use file::{Header, RowCounts, Writer, verify};
use target_database::rows_of;

const PAGE: u32 = 500;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Works with SQLite and PostgreSQL, also while the service runs. The backup has every round that was acknowledged
before the backup began, and everything else in the database: admin changes, the settings of each round, ratings and
figures, the audit log, interventions and notices. It has neither secrets nor the configuration. RBS reads the
finished backup again to check it, unless it went into a pipe such as /dev/stdout; then the report goes to standard
error.

With --json: file, at, version, migration, bytes (null for a pipe), rows (the number for each table), deleted (the
old backups that were deleted) and seconds.

Examples:
  rbs backup before-the-update.backup.gz
  rbs backup /var/backups/rbs --keep 7")]
pub(super) struct Backup {
    /// Backup file, or a folder for it. An existing file is replaced once the backup is complete. In a folder, RBS
    /// names the file after the current time, such as rbs-2026-11-20T043000Z.backup.gz.
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Once this backup is complete, delete all but the latest N backups in the folder.
    #[arg(long, value_name = "N", value_parser = whole(1..=100_000_usize))]
    keep: Option<usize>,
    #[command(flatten)]
    report: AsJson,
}

impl Backup {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let is_folder = self.path.is_dir();
        anyhow::ensure!(
            is_folder || self.keep.is_none(),
            "--keep needs a folder, and there is none at {}; create it, or leave --keep out",
            self.path.display()
        );
        let at = Clock::System.now();
        let path = if is_folder {
            folder::file_in(&self.path, at)
        } else {
            self.path.clone()
        };
        let started = Instant::now();
        let stop = stop_signal()?;
        let store = connect(&without_timeouts(&settings.database)).await?;
        let writing = Box::pin(write(&store, &path));
        let written = tokio::select! {
            written = writing => written,
            () = stop => Err(Interrupted.into()),
        };
        store.close().await;
        let (header, rows) = written?;
        let bytes = read_back(&path, &rows)?;
        let deleted = match self.keep {
            Some(keep) => folder::keep_latest(&self.path, keep, &path)?,
            None => Vec::new(),
        };
        let seconds = started.elapsed().as_secs_f64();
        if self.report.json {
            let report = json!({
                "file": path, "at": header.at, "version": header.version,
                "migration": header.migration, "bytes": bytes, "rows": rows,
                "deleted": deleted, "seconds": seconds,
            });
            return match bytes {
                Some(_) => print_json(&report),
                None => Ok(io::stderr().write_all(&line(&report)?)?),
            };
        }
        let (shown, summary) = (path.display(), summary(&rows));
        let Some(bytes) = bytes else {
            // The backup itself may go to standard output.
            return Ok(writeln!(
                io::stderr(),
                "{shown}: {summary} ({seconds:.1} s)"
            )?);
        };
        let mut text = Vec::new();
        writeln!(text, "{shown}: {summary} ({bytes} bytes, {seconds:.1} s)")?;
        for path in deleted {
            writeln!(text, "{}: deleted", path.display())?;
        }
        Ok(print(&text)?)
    }
}

pub(super) fn summary(rows: &RowCounts) -> String {
    let tables = ["rounds", "pools", "changes", "audit", "interventions"];
    let [rounds, others @ ..] =
        tables.map(|table| rows_of(table, rows.get(table).copied().unwrap_or_default()));
    format!("{rounds} of {}", others.join(", "))
}

async fn write(store: &Store, path: &Path) -> anyhow::Result<(Header, RowCounts)> {
    let failed = || format!("cannot write {}", path.display());
    let output = BufWriter::new(Target::open_itself(path)?);
    let output = GzEncoder::new(output, Compression::default());
    let mut meter = Meter::start(None)?;
    // The transaction sees all changes acknowledged before this time.
    let at = Clock::System.now();
    let mut tx = store.begin_read().await?;
    let migration = tx.migration().await?;
    let migration =
        migration.context("the database has no tables of RBS, so there is nothing to back up")?;
    let known = newest_migration();
    anyhow::ensure!(
        migration <= known,
        "the database was made by a newer version of RBS (migration {migration}; this version knows {known}); \
         back it up with that version"
    );
    let header = Header::new(at, migration);
    let mut writer = Writer::begin(output, &header).with_context(failed)?;
    for table in tx.tables().await? {
        writer.begin_table(&table).with_context(failed)?;
        let mut last = None;
        loop {
            let rows = tx.rows_behind(&table, last.as_deref(), PAGE).await?;
            writer.rows(&rows).with_context(failed)?;
            let Some(row) = rows.last() else { break };
            last = Some(table.key_of(row));
            let written = writer.written();
            if meter.tick(plural(written, "row")).is_some() {
                tracing::info!(table = table.name, rows = written, "Backing up");
            }
        }
    }
    drop(tx);
    meter.finish();
    let (output, rows) = writer.finish().with_context(failed)?;
    let output = output.finish().with_context(failed)?;
    let output = output.into_inner().map_err(io::Error::from);
    output.with_context(failed)?.finish()?;
    Ok((header, rows))
}

/// Reads the backup file, and compares its numbers of rows with those written. Returns the file's size in bytes, or
/// `None` for a pipe.
fn read_back(path: &Path, rows: &RowCounts) -> anyhow::Result<Option<u64>> {
    let found =
        std::fs::metadata(path).with_context(|| format!("cannot read {} back", path.display()))?;
    if !found.is_file() {
        return Ok(None);
    }
    let (_, read) = verify(path)?;
    anyhow::ensure!(
        read == *rows,
        "the backup {} reads back differently from what was written; check the disk, and make the backup again",
        path.display()
    );
    Ok(Some(found.len()))
}
