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
use tower::ServiceExt as _;

use super::{App, Limits, router};
use activity::{Activity, until_handed_over};

/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 64 * 1024;
/// The same, as HTTP/2 counts.
const MAX_HEAD_LIST: u32 = 64 * 1024;
/// Requests of one HTTP/2 connection at once.
const MAX_STREAMS: u32 = 128;
/// How long to wait before accepting again when no connection can be taken, mostly for want of
/// file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// How much longer than a request may take a stop waits for connections that do not end.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// The address that a request comes from: a client's, or that of a proxy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Answers HTTP/1.1 and HTTP/2 on `listener` until `shutdown` ends, then finishes the requests in
/// flight.
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
    let router = router(app);
    let builder = builder(timeout);
    let open = Arc::new(Semaphore::new(connections));
    let graceful = GracefulShutdown::new();
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
    Ok(())
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

/// Answers the requests of one connection until it ends, or until it idles too long: before the
/// protocol is known, and where HTTP/2 is spoken, the library itself waits without a limit.
async fn answer(
    stream: TcpStream,
    builder: Builder<TokioExecutor>,
    router: Router,
    watcher: Watcher,
    timeout: Duration,
) {
    // Without it answers come later, but they come.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Cannot turn the delay of small packets off");
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
                tracing::debug!(error, "A connection broke off");
            }
        }
        () = activity.idle_for(timeout) => {}
    }
}

/// `stream`, on which writing fails where the other end takes nothing for as long as `timeout`: it
/// may not keep an answer waiting for ever.
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
