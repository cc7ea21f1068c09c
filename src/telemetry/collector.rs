use std::future::Future;
use std::io;
use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};

/// How long a collector may take for each step of one request.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The way to a collector: one request a connection, HTTP/1.1. It blocks, which it may, since the
/// exporter has a thread of its own and the service never waits for that.
#[derive(Debug, Default)]
pub(super) struct Collector {
    /// Whether the last request failed; said once, not with every batch.
    failing: AtomicBool,
}

type Answer = Result<Response<Bytes>, HttpError>;

impl HttpClient for Collector {
    fn send_bytes<'me, 'sending>(
        &'me self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'sending>>
    where
        'me: 'sending,
        Self: 'sending,
    {
        Box::pin(std::future::ready(self.send(&request)))
    }
}

impl Collector {
    fn send(&self, request: &Request<Bytes>) -> Answer {
        let answer = post(request);
        let failed = match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(error.to_string()),
        };
        let failed_before = self.failing.swap(failed.is_some(), Ordering::Relaxed);
        match failed {
            Some(error) if !failed_before => {
                tracing::warn!(error, "The collector of RBS_OTLP_ENDPOINT takes no traces");
            }
            None if failed_before => tracing::info!("The collector takes traces again"),
            _ => {}
        }
        answer
    }
}

fn post(request: &Request<Bytes>) -> Answer {
    let uri = request.uri();
    let host = uri.host().ok_or("the endpoint names no host")?;
    let port = uri.port_u16().unwrap_or(80);
    let address = (host.trim_matches(['[', ']']), port)
        .to_socket_addrs()?
        .next()
        .ok_or("the endpoint's host has no address")?;
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;

    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut head = vec![
        format!("POST {path} HTTP/1.1"),
        format!("Host: {host}:{port}"),
        "Connection: close".to_owned(),
        format!("Content-Length: {}", request.body().len()),
    ];
    for (name, value) in request.headers() {
        head.push(format!("{name}: {}", value.to_str()?));
    }
    stream.write_all((head.join("\r\n") + "\r\n\r\n").as_bytes())?;
    stream.write_all(request.body())?;

    let status = status(&mut stream)?;
    Ok(Response::builder().status(status).body(Bytes::new())?)
}

/// The status of the answer; the rest of it says nothing that we could act on.
fn status(stream: &mut TcpStream) -> Result<u16, HttpError> {
    let mut line = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut line)?;
    let text = std::str::from_utf8(&line)?;
    let status = text
        .strip_prefix("HTTP/1.")
        .and_then(|rest| rest.get(2..)?.parse().ok());
    status.ok_or_else(|| io::Error::other("the collector does not speak HTTP/1.1").into())
}
