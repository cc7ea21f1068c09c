//! Ctrl-C, SIGTERM and SIGHUP.

use std::future::Future;

use anyhow::Context as _;

/// The error of a command that a signal stopped before its end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("stopped before the end; run it again")]
pub(crate) struct Interrupted;

/// The error of a restore that a signal stopped when the backup was in the database already.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "stopped when the backup was restored already, and before its tables were brought up to date; run \
     `rbs upgrade`, or start the service, which does the same"
)]
pub(crate) struct InterruptedBehindRestore;

/// What comes of SIGHUP from now on, in place of the end of the process; where there is no such signal, nothing.
pub(crate) struct Hangups(#[cfg(unix)] tokio::signal::unix::Signal);

/// Keeps each SIGHUP from this call on.
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
    /// Runs `work`, which may block, at each of them, one time after another.
    pub(crate) fn at_each(self, work: impl Fn() + Clone + Send + 'static) {
        #[cfg(unix)]
        {
            let Self(mut hangups) = self;
            tokio::spawn(async move {
                while hangups.recv().await.is_some() {
                    if let Err(error) = tokio::task::spawn_blocking(work.clone()).await {
                        tracing::error!(%error, "What SIGHUP asks for broke off");
                    }
                }
            });
        }
        #[cfg(windows)]
        drop(work);
    }
}

/// What ends at Ctrl-C or, on Unix, SIGTERM; either counts from this call on, awaited or not.
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
