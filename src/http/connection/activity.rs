use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http_body_util::BodyExt as _;
use parking_lot::Mutex;
use tokio::time::Instant;

/// Number of running requests of a connection, and the time since which the connection is idle. Clones share the state.
#[derive(Clone)]
pub(crate) struct Activity(Arc<Inner>);

struct Inner {
    running: AtomicUsize,
    quiet_since: Mutex<Instant>,
}

/// Guard of a running request of a connection. Dropping the guard ends the request.
pub(crate) struct Running(Activity);

impl Activity {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Inner {
            running: AtomicUsize::new(0),
            quiet_since: Mutex::new(Instant::now()),
        }))
    }

    /// Counts a request of the connection as running until the returned guard is dropped.
    pub(crate) fn begin(&self) -> Running {
        self.0.running.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
    }

    /// Waits until the connection has had no request for `timeout`.
    pub(crate) async fn idle_for(&self, timeout: Duration) {
        loop {
            let quiet = if self.0.running.load(Ordering::SeqCst) == 0 {
                self.0.quiet_since.lock().elapsed()
            } else {
                Duration::ZERO
            };
            if quiet >= timeout {
                return;
            }
            tokio::time::sleep(timeout.saturating_sub(quiet)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Self(activity) = self;
        *activity.0.quiet_since.lock() = Instant::now();
        activity.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Counts the request as running until the body of `response` has been sent.
pub(crate) fn until_handed_over(response: Response, running: Running) -> Response {
    // The body owns the closure, and the closure owns the guard.
    response.map(|body| {
        Body::new(body.map_err(move |error| {
            let _running = &running;
            error
        }))
    })
}
