use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::ProgressBar;

use super::Tally;
use super::lines::is_standard_input;
use crate::cli::terminal::figures::rate;
use crate::cli::terminal::progress::Meter;

/// Shows how far an import is.
///
/// Lines are not counted beforehand; the share of the files' bytes shows how far it is.
pub(super) struct Progress(Meter);

impl Progress {
    /// Begins to watch an import; refuses a file that is not there or is a folder before any is read.
    pub(super) fn start(files: &[PathBuf]) -> anyhow::Result<Self> {
        Ok(Self(Meter::start(total_length(files)?)?))
    }

    /// Counts the bytes that are read.
    pub(super) fn bytes(&self) -> ProgressBar {
        self.0.bar.clone()
    }

    /// Shows what has been done.
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

    /// Prints a line above the bar.
    pub(super) fn print_line(&self, text: &str) {
        if self.0.is_shown {
            self.0.bar.suspend(|| eprintln!("{text}"));
        } else {
            tracing::warn!(line = text, "Skipped");
        }
    }

    /// Takes the bar away; answers how long it all took.
    pub(super) fn finish(&self) -> Duration {
        self.0.finish()
    }
}

/// The bytes of all files, where that can be known.
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
