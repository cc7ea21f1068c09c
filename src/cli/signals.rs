//! Handling of Ctrl-C, SIGTERM and SIGHUP.

use std::future::Future;

use anyhow::Context as _;

/// Error of a command that a signal stopped.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("stopped before the end; run the command again")]
pub(crate) struct Interrupted;

/// Error of a restore that a signal stopped after the backup was loaded into the database.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "stopped after the backup was restored, but before its tables were upgraded; run \
     `rbs upgrade`, or start the service, which does the same"
)]
pub(crate) struct InterruptedBehindRestore;

/// Stream of SIGHUP signals, which no longer end the process. Empty on systems without that signal.
pub(crate) struct Hangups(#[cfg(unix)] tokio::signal::unix::Signal);

/// Starts to collect SIGHUP signals.
pub(crate) fn hangups() -> anyhow::Result<Hangups> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let hangups = signal(SignalKind::hangup()).context("cannot listen for SIGHUP")?;
        Ok(Hangups(hangups))
    }
    #[cfg(windows)]
    Ok(Hangups())
}

impl Hangups {
    /// Runs `work`, which may block, for each SIGHUP, one after another.
    pub(crate) fn at_each(self, work: impl Fn() + Clone + Send + 'static) {
        #[cfg(unix)]
        {
            let Self(mut hangups) = self;
            tokio::spawn(async move {
                while hangups.recv().await.is_some() {
                    if let Err(error) = tokio::task::spawn_blocking(work.clone()).await {
                        tracing::error!(%error, "Reloading the settings on SIGHUP failed");
                    }
                }
            });
        }
        #[cfg(windows)]
        drop(work);
    }
}

/// Returns a future that ends at Ctrl-C or, on Unix, SIGTERM. Signals count from this call on, even before the future
/// is awaited.
pub(crate) fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    let received = {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
        let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
        async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
    };
    #[cfg(windows)]
    let received = {
        let mut interrupt = tokio::signal::windows::ctrl_c().context("cannot listen for Ctrl-C")?;
        async move {
            interrupt.recv().await;
        }
    };
    Ok(received)
}
