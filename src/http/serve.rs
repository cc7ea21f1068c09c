use std::future::Future;
use std::io;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::{App, router};

/// How long a client may take to send the head of a request, and how long a connection may idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait before accepting again when no connection can be taken, mostly for want of
/// file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);
/// How much longer than a request may take a stop waits for connections that do not end.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Answers HTTP/1.1 and HTTP/2 on `listener` until `shutdown` ends, then finishes the requests in
/// flight.
///
/// # Errors
/// Where the listener's address cannot be told; a listener that is not one.
pub async fn serve(
    listener: TcpListener,
    app: App,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.local_addr()?;
    let longest_stop = app.request_timeout + STOP_GRACE;
    let service = TowerToHyperService::new(router(app));
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(HEAD_TIMEOUT);

    let connections = GracefulShutdown::new();
    let (stopping, _) = watch::channel(());
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "Cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut shutdown => break,
        };
        let (builder, service) = (builder.clone(), service.clone());
        let watcher = connections.watcher();
        let mut stop = stopping.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                true = speaks_in_time(&stream) => {}
                // A client that has not said anything yet is not waited for.
                _stopping = stop.changed() => return,
                else => return,
            }
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            if let Err(error) = watcher.watch(connection.into_owned()).await {
                tracing::debug!(error, "A connection broke off");
            }
        });
    }
    drop((listener, stopping));
    let finished = tokio::time::timeout(longest_stop, connections.shutdown()).await;
    if finished.is_err() {
        tracing::warn!("Stopped while connections were still open");
    }
    Ok(())
}

/// Whether the client says anything at all in time; also turns off the delay that would hold
/// small answers back.
async fn speaks_in_time(stream: &TcpStream) -> bool {
    // Without it answers come later, but they come.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "Cannot turn the delay of small packets off");
    }
    let spoke = tokio::time::timeout(HEAD_TIMEOUT, stream.readable()).await;
    matches!(spoke, Ok(Ok(())))
}
