pub(crate) mod activity;

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::middleware::refusal_log::RefusalLog;
use super::{App, Limits, router_with};
use crate::service::Service;
use activity::{Activity, until_handed_over};

/// Maximum size of a request head over HTTP/1.1, in bytes.
const MAX_HEAD: usize = 64 * 1024;
/// Maximum size of the header list of a request over HTTP/2, in bytes.
const MAX_HEAD_LIST: u32 = 64 * 1024;
/// Maximum number of concurrent requests on one HTTP/2 connection.
const MAX_STREAMS: u32 = 128;
/// Pause after a failed accept, which mostly means that no file descriptor is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// Time beyond the request timeout for which a stop of the service waits for open connections.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Pause between two writes of new refusals to the database.
const SAVE_PAUSE: Duration = Duration::from_secs(5);

/// IP address that a request came from: the client's, or that of a proxy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Serves HTTP/1.1 and HTTP/2 on `listener` until `shutdown` resolves, then finishes the running requests.
pub async fn serve(
    listener: TcpListener,
    app: App,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.local_addr()?;
    let longest_stop = app.request_timeout + STOP_GRACE;
    let Limits {
        timeout,
        connections,
        ..
    } = app.limits;
    let service = app.service.clone();
    let refusals = RefusalLog::new(service.now());
    if let Err(error) = refusals.load(&service).await {
        tracing::warn!(error = ?error, "Cannot read the stored list of refused requests; it starts empty");
    }
    let stop_saving = CancellationToken::new();
    let saving = tokio::spawn(save_refusals(
        refusals.clone(),
        service,
        stop_saving.clone(),
    ));
    let router = router_with(app, refusals);
    let builder = builder(timeout);
    let open = Arc::new(Semaphore::new(connections));
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepting = async {
            // The semaphore is never closed. If it were, the number of connections would be unlimited.
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
        let watcher = graceful.watcher();
        let connection = answer(stream, builder.clone(), router.clone(), watcher, timeout);
        tokio::spawn(async move {
            let _place = place;
            connection.await;
        });
    }
    drop(listener);
    let finished = tokio::time::timeout(longest_stop, graceful.shutdown()).await;
    if finished.is_err() {
        tracing::warn!("Stopped while connections were still open");
    }
    stop_saving.cancel();
    saving.await.map_err(io::Error::other)?;
    Ok(())
}

/// Stores new refusals every few seconds, and once more at the stop.
async fn save_refusals(refusals: RefusalLog, service: Service, stop: CancellationToken) {
    loop {
        let pause = stop.run_until_cancelled(tokio::time::sleep(SAVE_PAUSE));
        let is_last = pause.await.is_none();
        if let Err(error) = refusals.save(&service).await {
            tracing::warn!(error = ?error, "Cannot store the latest refused requests");
        }
        if is_last {
            return;
        }
    }
}

fn builder(timeout: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(timeout)
        .max_buf_size(MAX_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(timeout)
        .max_header_list_size(MAX_HEAD_LIST)
        .max_concurrent_streams(MAX_STREAMS);
    builder
}

/// Serves one connection until it ends, or until it has been idle for `timeout`. Hyper has no idle limit of its own for
/// HTTP/2, and none before the protocol is known.
async fn answer(
    stream: TcpStream,
    builder: Builder<TokioExecutor>,
    router: Router,
    watcher: Watcher,
    timeout: Duration,
) {
    // A failure is harmless: without this option, answers only arrive later.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Cannot turn off send delays (TCP_NODELAY) on a connection; its answers may be slower");
    }
    let peer = stream.peer_addr().map(|address| Peer(address.ip())).ok();
    let activity = Activity::new();
    let service = tower::service_fn({
        let activity = activity.clone();
        move |request: Request<_>| {
            let running = activity.begin();
            let mut request = request.map(axum::body::Body::new);
            if let Some(peer) = peer {
                request.extensions_mut().insert(peer);
            }
            let answering = router.clone().oneshot(request);
            async move {
                answering
                    .await
                    .map(|response| until_handed_over(response, running))
            }
        }
    });
    let stream = TokioIo::new(with_write_timeout(stream, timeout));
    let connection = builder.serve_connection(stream, TowerToHyperService::new(service));
    tokio::select! {
        ended = watcher.watch(connection.into_owned()) => {
            if let Err(error) = ended {
                tracing::debug!(error, "A connection ended with an error");
            }
        }
        () = activity.idle_for(timeout) => {}
    }
}

/// Wraps the connection `stream` so that a write fails if the peer accepts no data for `timeout`. Without this limit, a
/// stalled peer would hold an answer for ever.
fn with_write_timeout<Stream: AsyncRead + AsyncWrite>(
    stream: Stream,
    timeout: Duration,
) -> Pin<Box<TimeoutStream<Stream>>> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(timeout));
    Box::pin(stream)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_is_given_up_and_who_reads_slowly_is_not() {
        let (here, mut there) = tokio::io::duplex(4);
        let mut stream = with_write_timeout(here, Duration::from_millis(200));
        let reading = tokio::spawn(async move {
            let mut taken = [0; 4];
            for _ in 0..4 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                there.read_exact(&mut taken).await.unwrap();
            }
            there
        });
        stream.write_all(&[7; 16]).await.unwrap();
        let there = reading.await.unwrap();
        let error = stream.write_all(&[7; 16]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{error}");
        drop(there);
    }
}
