//! How far a command is that goes through the log of a pool.

use std::io;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::domain::PoolName;
use crate::service::Progress;

/// How often a line is written where there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Shows how far a pool is: a bar on a terminal, a line a second in a log.
pub(crate) struct Watcher {
    pool: PoolName,
    what: &'static str,
    started: Instant,
    last_logged: Instant,
    bar: Option<ProgressBar>,
}

impl Watcher {
    /// Begins to watch what is done to `pool`, such as "Checking".
    ///
    /// # Errors
    /// Where the bar cannot be drawn.
    pub(crate) fn start(what: &'static str, pool: &PoolName) -> anyhow::Result<Self> {
        let bar = if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(
                "{bar:30} {percent:>3} %  {msg}  {elapsed} gone, {eta} to go",
            )?;
            Some(ProgressBar::new(0).with_style(style))
        } else {
            None
        };
        let now = Instant::now();
        Ok(Self {
            pool: pool.clone(),
            what,
            started: now,
            last_logged: now,
            bar,
        })
    }

    /// Shows what has been done.
    pub(crate) fn tick(&mut self, progress: Progress) {
        let elapsed = self.started.elapsed().as_secs_f64();
        let rate = float(progress.done) / elapsed.max(1e-9);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(format!("{} {}, {rate:.0} a second", self.what, self.pool));
        } else if self.last_logged.elapsed() >= LOG_EVERY {
            self.last_logged = Instant::now();
            let share = float(progress.done) / float(progress.total).max(1.0);
            tracing::info!(
                pool = %self.pool,
                done = progress.done,
                per_second = rate.round(),
                percent = (100.0 * share).round(),
                seconds_left = (elapsed * (1.0 - share) / share.max(1e-9)).round(),
                "{}",
                self.what
            );
        }
    }

    /// Takes the bar away; answers how long it all took.
    pub(crate) fn finish(self) -> Duration {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures for people to read")]
fn float(number: u64) -> f64 {
    number as f64
}
