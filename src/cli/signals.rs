use anyhow::Context as _;
use tokio::signal::unix::{Signal, SignalKind, signal};

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

/// Collects SIGHUP signals, which no longer end the process.
pub(crate) fn hangups() -> anyhow::Result<Signal> {
    signal(SignalKind::hangup()).context("cannot listen for SIGHUP")
}

/// Runs `work`, which may block, for each SIGHUP, one after another.
pub(crate) fn at_each(mut hangups: Signal, work: impl Fn() + Clone + Send + 'static) {
    tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            if let Err(error) = tokio::task::spawn_blocking(work.clone()).await {
                tracing::error!(%error, "Reloading the settings on SIGHUP failed");
            }
        }
    });
}

/// Returns a future that ends at Ctrl-C or SIGTERM. Signals count from this call on, even before the future is awaited.
pub(crate) fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
