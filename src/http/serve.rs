use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use super::{App, router};

/// How long a client may take to send the head of a request, and how long a connection may idle,
/// where the service is run from the command line.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 64 * 1024;
/// Connections that are open at once; further ones wait in the operating system's queue.
const MAX_CONNECTIONS: usize = 16 * 1024;
/// How long to wait before accepting again when no connection can be taken, mostly for want of
/// file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// How much longer than a request may take a stop waits for connections that do not end.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Answers HTTP/1.1 and HTTP/2 on `listener` until `shutdown` ends, then finishes the requests in
/// flight.
///
/// # Errors
/// Where the listener is none.
pub async fn serve(
    listener: TcpListener,
    app: App,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.local_addr()?;
    let longest_stop = app.request_timeout + STOP_GRACE;
    let head_timeout = app.head_timeout;
    let router = router(app);
    let builder = builder(head_timeout);
    let open = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepting = async {
            // The semaphore is never closed; were it, there would be no limit.
            let place = Arc::clone(&open).acquire_owned().await.ok();
            (place, listener.accept().await)
        };
        let (place, stream) = tokio::select! {
            accepted = accepting => match accepted {
                (place, Ok((stream, _))) => (place, stream),
                (_, Err(error)) => {
                    tracing::warn!(%error, "Cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut shutdown => break,
        };
        let watcher = connections.watcher();
        let connection = answer(
            stream,
            builder.clone(),
            router.clone(),
            watcher,
            head_timeout,
        );
        tokio::spawn(async move {
            let _place = place;
            connection.await;
        });
    }
    drop(listener);
    let finished = tokio::time::timeout(longest_stop, connections.shutdown()).await;
    if finished.is_err() {
        tracing::warn!("Stopped while connections were still open");
    }
    Ok(())
}

fn builder(head_timeout: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .max_buf_size(MAX_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(head_timeout);
    builder
}

/// Answers the requests of one connection until it ends, or until no first one has come in time:
/// before the protocol is known, the library itself waits without a limit.
async fn answer(
    stream: TcpStream,
    builder: Builder<TokioExecutor>,
    router: Router,
    watcher: Watcher,
    head_timeout: Duration,
) {
    // Without it answers come later, but they come.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Cannot turn the delay of small packets off");
    }
    let spoke = Arc::new(AtomicBool::new(false));
    let service = router.map_request({
        let spoke = Arc::clone(&spoke);
        move |request: Request<_>| {
            spoke.store(true, Ordering::Relaxed);
            request.map(axum::body::Body::new)
        }
    });
    let stream = TokioIo::new(stream);
    let connection = builder.serve_connection(stream, TowerToHyperService::new(service));
    let silence = async {
        tokio::time::sleep(head_timeout).await;
        if spoke.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        ended = watcher.watch(connection.into_owned()) => {
            if let Err(error) = ended {
                tracing::debug!(error, "A connection broke off");
            }
        }
        () = silence => {}
    }
}
