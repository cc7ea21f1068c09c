use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::ProgressBar;

use super::Tally;
use super::lines::is_standard_input;
use crate::cli::terminal::figures::rate;
use crate::cli::terminal::progress::Meter;

/// Progress display of an import.
///
/// Lines are not counted in advance, so the display shows the share of the files' bytes.
pub(super) struct Progress(Meter);

impl Progress {
    /// Starts the progress display of an import. Returns an error if a file does not exist or is a folder, before any
    /// file is read.
    pub(super) fn start(files: &[PathBuf]) -> anyhow::Result<Self> {
        Ok(Self(Meter::start(total_length(files)?)?))
    }

    pub(super) fn bytes(&self) -> ProgressBar {
        self.0.bar.clone()
    }

    pub(super) fn tick(&mut self, tally: &Tally) {
        let rounds = tally.done();
        let rate = rate(rounds, self.0.bar.elapsed());
        let message = format!("{rounds} rounds, {rate:.0} a second");
        if let Some(estimate) = self.0.tick(message) {
            tracing::info!(
                rounds,
                per_second = rate.round(),
                percent = estimate.percent,
                seconds_left = estimate.seconds_left,
                "Importing"
            );
        }
    }

    pub(super) fn print_line(&self, text: &str) {
        if self.0.is_shown {
            self.0.bar.suspend(|| eprintln!("{text}"));
        } else {
            tracing::warn!(line = text, "Skipped");
        }
    }

    /// Removes the progress bar, and returns the elapsed time.
    pub(super) fn finish(&self) -> Duration {
        self.0.finish()
    }
}

/// Returns the total size of the files to import in bytes; `None` if unknown.
fn total_length(files: &[PathBuf]) -> anyhow::Result<Option<u64>> {
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
