use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use super::Tally;

/// How often a line is written where there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Shows how far an import is: a bar on a terminal, a line a second in a log.
///
/// Lines are not counted beforehand; the share of the files' bytes tells how far it is.
pub(super) struct Progress {
    bytes: Bytes,
    total_bytes: u64,
    started: Instant,
    last_logged: Instant,
    bar: Option<ProgressBar>,
}

/// The bytes that have been read of all files; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes(Arc<AtomicU64>);

/// A file whose bytes are counted as they are read.
#[derive(Debug)]
pub(super) struct Watched {
    file: File,
    bytes: Bytes,
}

impl Bytes {
    pub(super) fn watch(self, file: File) -> Watched {
        Watched { file, bytes: self }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.bytes.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Progress {
    pub(super) fn start(files: &[PathBuf]) -> anyhow::Result<Self> {
        let mut total_bytes = 0;
        for path in files {
            let metadata = std::fs::metadata(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            total_bytes += metadata.len();
        }
        let bar = if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(
                "{bar:30} {percent:>3} %  {msg}  {elapsed} gone, {eta} to go",
            )?;
            Some(ProgressBar::new(total_bytes).with_style(style))
        } else {
            None
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
            let share = read as f64 / self.total_bytes.max(1) as f64;
            tracing::info!(
                rounds = tally.done(),
                per_second = rate.round(),
                percent = (100.0 * share).round(),
                seconds_left = (elapsed.as_secs_f64() * (1.0 - share) / share.max(1e-9)).round(),
                "Importing"
            );
        }
    }

    /// Says something beside the bar.
    pub(super) fn say(&self, text: &str) {
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

/// Lines a second.
pub(super) fn rate(tally: &Tally, elapsed: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let done = tally.done() as f64;
    done / elapsed.as_secs_f64().max(1e-9)
}
