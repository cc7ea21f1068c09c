use std::future::Future;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Work of this instance apart from requests, such as computing ratings again, following a log or reading lists ahead: it
/// goes on when nobody waits for it, and is given up when the service stops, so that nobody has to wait until
/// it counts as dead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Tasks {
    /// Runs `task` to its end, whoever waits for it.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.tasks.spawn(task)
    }

    /// Whether rebuilds are to give up.
    pub(crate) fn are_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// What comes of `work`; `None` where rebuilds are to give up meanwhile, and it does.
    pub(crate) async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.stop.run_until_cancelled(work).await
    }

    /// Waits that long; `false` where rebuilds are to give up meanwhile.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        self.unless_stopped(sleep(pause)).await.is_some()
    }

    /// Has rebuilds give up.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Has rebuilds give up, and waits until they have.
    pub(crate) async fn stopped(&self) {
        self.stop();
        self.tasks.close();
        self.tasks.wait().await;
    }
}
