use std::future::Future;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What reads a pool's log in this instance apart from requests, to compute the ratings again or to follow it: it
/// goes on when nobody waits for it, and is given up when the service stops, so that nobody has to wait until
/// it counts as dead.
#[derive(Clone, Debug, Default)]
pub(crate) struct RebuildTasks {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl RebuildTasks {
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

    /// Waits that long; `false` where rebuilds are to give up meanwhile.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        timeout(pause, self.stop.cancelled()).await.is_err()
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
