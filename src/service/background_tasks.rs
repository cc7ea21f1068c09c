use std::future::Future;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Background tasks of this instance, such as rebuilds, challengers or warm-ups. A task survives the request that
/// started it. When the service stops, tasks give up, so that their leases need not expire first.
#[derive(Clone, Debug, Default)]
pub(crate) struct BackgroundTasks {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl BackgroundTasks {
    /// Runs `task` in the background, even if nobody awaits the handle.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.tasks.spawn(task)
    }

    pub(crate) fn are_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Returns the result of `work`, or drops `work` and returns `None` if the service stops.
    pub(crate) async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.stop.run_until_cancelled(work).await
    }

    /// Sleeps for `pause`. Returns `false` if the service stops, so that background tasks should give up.
    pub(crate) async fn pause(&self, pause: Duration) -> bool {
        self.unless_stopped(sleep(pause)).await.is_some()
    }

    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Tells all background tasks to give up, and waits until they have ended.
    pub(crate) async fn stopped(&self) {
        self.stop();
        self.tasks.close();
        self.tasks.wait().await;
    }
}
