use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tokio::time::Instant;

/// Number of running requests of a connection, and the time since which the connection is idle. Clones share the state.
#[derive(Clone, Debug)]
pub(crate) struct Activity(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    running: AtomicUsize,
    quiet_since: Mutex<Instant>,
}

/// Guard of a running request of a connection. Dropping the guard ends the request.
#[derive(Debug)]
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
                self.quiet_since().elapsed()
            } else {
                Duration::ZERO
            };
            if quiet >= timeout {
                return;
            }
            tokio::time::sleep(timeout.saturating_sub(quiet)).await;
        }
    }

    fn quiet_since(&self) -> MutexGuard<'_, Instant> {
        // No code that could panic runs under the lock.
        self.0
            .quiet_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Self(activity) = self;
        *activity.quiet_since() = Instant::now();
        activity.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Counts the request as running until the body of `response` has been sent.
pub(crate) fn until_handed_over(response: Response, running: Running) -> Response {
    response.map(|body| {
        Body::new(Counted {
            body,
            _running: running,
        })
    })
}

struct Counted {
    body: Body,
    _running: Running,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
