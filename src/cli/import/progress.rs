use std::io;
use std::io::{IsTerminal as _, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use super::Tally;
use super::lines::is_standard_input;

/// How often a line is written where there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Shows how far an import is: a bar on a terminal, a line a second in a log.
///
/// Lines are not counted beforehand; the share of the files' bytes shows how far it is.
pub(super) struct Progress {
    bytes: Bytes,
    /// Of all files; `None` where one is a pipe, whose length nobody knows.
    total_bytes: Option<u64>,
    started: Instant,
    last_logged: Instant,
    bar: Option<ProgressBar>,
}

/// The bytes that have been read of all files; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes(Arc<AtomicU64>);

/// A source whose bytes are counted as they are read.
#[derive(Debug)]
pub(super) struct Watched<Source> {
    source: Source,
    bytes: Bytes,
}

impl Bytes {
    pub(super) fn watch<Source>(self, source: Source) -> Watched<Source> {
        Watched {
            source,
            bytes: self,
        }
    }
}

impl<Source: Read> Read for Watched<Source> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Progress {
    /// Begins to watch an import of these files.
    ///
    /// # Errors
    /// A file that is not there or is a folder, before anything is counted.
    pub(super) fn start(files: &[PathBuf]) -> anyhow::Result<Self> {
        let total_bytes = total_length(files)?;
        let bar = match total_bytes {
            _ if !io::stderr().is_terminal() => None,
            Some(total) => Some(
                ProgressBar::new(total).with_style(ProgressStyle::with_template(
                    "{bar:30} {percent:>3} %  {msg}  {elapsed} gone, {eta} to go",
                )?),
            ),
            None => Some(
                ProgressBar::new_spinner()
                    .with_style(ProgressStyle::with_template("{msg}  {elapsed} gone")?),
            ),
        };
        let now = Instant::now();
        Ok(Self {
            bytes: Bytes::default(),
            total_bytes,
            started: now,
            last_logged: now,
            bar,
        })
    }

    pub(super) fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }

    /// Shows what has been done.
    pub(super) fn tick(&mut self, tally: &Tally) {
        let elapsed = self.started.elapsed();
        let rate = rate(tally, elapsed);
        let read = self.bytes.0.load(Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.set_position(read);
            bar.set_message(format!("{} rounds, {rate:.0} a second", tally.done()));
        } else if self.last_logged.elapsed() >= LOG_EVERY {
            self.last_logged = Instant::now();
            #[expect(clippy::cast_precision_loss, reason = "a share for people to read")]
            let share = self
                .total_bytes
                .map(|total| read as f64 / total.max(1) as f64);
            let left = |share: f64| elapsed.as_secs_f64() * (1.0 - share) / share.max(1e-9);
            tracing::info!(
                rounds = tally.done(),
                per_second = rate.round(),
                percent = share.map(|share| (100.0 * share).round()),
                seconds_left = share.map(|share| left(share).round()),
                "Importing"
            );
        }
    }

    /// Prints a line above the bar.
    pub(super) fn print_line(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.suspend(|| eprintln!("{text}"));
        } else {
            tracing::warn!(line = text, "Skipped");
        }
    }

    /// Takes the bar away; answers how long it all took.
    pub(super) fn finish(self) -> Duration {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed()
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

/// Lines a second.
pub(super) fn rate(tally: &Tally, elapsed: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let done = tally.done() as f64;
    done / elapsed.as_secs_f64().max(1e-9)
}
