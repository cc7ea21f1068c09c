//! Progress display of long commands.

use std::io;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::figures::{rate, share};
use crate::domain::{PoolName, Progress};

/// Interval between log lines about the progress of a command if there is no terminal.
const LOG_EVERY: Duration = Duration::from_secs(1);

static IS_HIDDEN: AtomicBool = AtomicBool::new(false);

pub(crate) fn hide() {
    IS_HIDDEN.store(true, Ordering::Relaxed);
}

pub(crate) fn is_hidden() -> bool {
    IS_HIDDEN.load(Ordering::Relaxed)
}

/// Progress display: a bar on a terminal, or a log line per second.
pub struct Meter {
    /// Progress bar with the done and the total amount; hidden without a terminal.
    pub bar: ProgressBar,
    pub(crate) is_shown: bool,
    last_logged: Instant,
}

/// Progress and remaining time of a command, for a log line.
pub struct Estimate {
    /// Completed percentage of the command's work, 0 to 100; `None` if the total amount of work is unknown.
    pub percent: Option<f64>,
    /// Estimated seconds until the command's work is done, at the present speed; `None` if unknown.
    pub seconds_left: Option<f64>,
}

impl Meter {
    /// Starts the progress display; `total` is the amount of work, if known.
    pub fn start(total: Option<u64>) -> anyhow::Result<Self> {
        let style = match total {
            Some(_) => "{bar:30} {percent:>3} %  {msg}  {elapsed} elapsed, {eta} left",
            None => "{msg}  {elapsed} elapsed",
        };
        let is_shown = io::stderr().is_terminal() && !is_hidden();
        let target = if is_shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target);
        Ok(Self {
            bar: bar.with_style(ProgressStyle::with_template(style)?),
            is_shown,
            last_logged: Instant::now(),
        })
    }

    /// Shows `message` next to the progress bar on a terminal. Otherwise returns the estimate for a log line, if one is
    /// due.
    pub fn tick(&mut self, message: String) -> Option<Estimate> {
        if self.is_shown {
            self.bar.set_message(message);
            return None;
        }
        if is_hidden() || self.last_logged.elapsed() < LOG_EVERY {
            return None;
        }
        self.last_logged = Instant::now();
        let done = self.bar.position();
        let progress = self.bar.length().map(|total| Progress { done, total });
        let left = progress.and_then(|progress| progress.remaining(self.bar.elapsed()));
        Some(Estimate {
            percent: progress.map(|progress| (100.0 * share(progress)).round()),
            seconds_left: left.map(|left| left.as_secs_f64().round()),
        })
    }

    /// Removes the progress bar, and returns the elapsed time.
    #[expect(
        clippy::must_use_candidate,
        reason = "most callers only want the bar to go"
    )]
    pub fn finish(&self) -> Duration {
        self.bar.finish_and_clear();
        self.bar.elapsed()
    }
}

pub(crate) struct Watcher {
    pool: PoolName,
    what: &'static str,
    meter: Meter,
}

impl Watcher {
    /// Starts the progress display; `what` names the activity, such as "Checking".
    pub(crate) fn start(what: &'static str, pool: &PoolName) -> anyhow::Result<Self> {
        Ok(Self {
            pool: pool.clone(),
            what,
            meter: Meter::start(Some(0))?,
        })
    }

    pub(crate) fn tick(&mut self, progress: Progress) {
        let Progress { done, total } = progress;
        let (what, pool) = (self.what, &self.pool);
        self.meter.bar.set_length(total);
        self.meter.bar.set_position(done);
        let rate = rate(done, self.meter.bar.elapsed());
        let message = format!("{what} {pool}, {rate:.0} log entries a second");
        if let Some(estimate) = self.meter.tick(message) {
            tracing::info!(
                %pool,
                done,
                per_second = rate.round(),
                percent = estimate.percent,
                seconds_left = estimate.seconds_left,
                "{what}"
            );
        }
    }

    /// Removes the progress bar, and returns the elapsed time.
    pub(crate) fn finish(self) -> Duration {
        self.meter.finish()
    }
}
