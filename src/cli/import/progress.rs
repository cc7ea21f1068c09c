use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::Run;
use super::lines::is_standard_input;
use crate::cli::database::with_retries;
use crate::cli::terminal::figures::{or_nothing, rate};
use crate::service::ServiceError;

/// Interval at which the progress of an import is written to the database.
const EVERY: Duration = Duration::from_secs(2);

impl Run<'_> {
    /// Shows the number of imported lines beside the share of the files' bytes, because lines are not counted in
    /// advance.
    pub(super) fn show_progress(&mut self) {
        let rounds = self.tally.done();
        let rate = rate(rounds, self.progress.bar.elapsed());
        let message = format!("{rounds} rounds, {rate:.0} a second");
        if let Some(estimate) = self.progress.tick(message) {
            tracing::info!(
                rounds,
                per_second = rate.round(),
                percent = estimate.percent,
                seconds_left = estimate.seconds_left,
                "Importing"
            );
        }
    }

    /// Writes the number of bytes that the import has read to the database, for other processes, if [`EVERY`] has passed
    /// since the last write.
    pub(super) async fn write_progress(&mut self) -> Result<(), ServiceError> {
        if self.written_at.elapsed() < EVERY {
            return Ok(());
        }
        self.written_at = Instant::now();
        let (service, import, bar) = (self.service, &self.import, &self.progress.bar);
        let advance = async || {
            service
                .advance_import(import, bar.position(), bar.length())
                .await
        };
        with_retries(advance).await
    }

    pub(super) fn print_line(&self, text: &str) {
        if self.progress.is_shown {
            self.progress.bar.suspend(|| eprintln!("{text}"));
        } else {
            tracing::warn!(line = text, "Skipped");
        }
    }
}

/// Returns the total size of the files to import in bytes; `None` if unknown. Returns an error if a file does not
/// exist or is a folder, before any file is read.
pub(super) fn total_length(files: &[PathBuf]) -> anyhow::Result<Option<u64>> {
    let mut total = Some(0);
    for path in files {
        if is_standard_input(path) {
            total = None;
            continue;
        }
        let metadata =
            std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        anyhow::ensure!(
            !metadata.is_dir(),
            "cannot read {}: it is a folder; name the files in it",
            path.display()
        );
        let length = metadata.is_file().then_some(metadata.len());
        total = total.zip(length).map(|(total, length)| total + length);
    }
    Ok(total)
}

/// Describes the files of an import for other processes.
pub(super) fn source(files: &[PathBuf]) -> String {
    let first = files.first().map(|path| path.display());
    match files.len() {
        0 | 1 => or_nothing(first),
        files => format!("{} and {} more", or_nothing(first), files - 1),
    }
}
