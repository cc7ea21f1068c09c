//! A proxy between the service and PostgreSQL that can cut connections or fall silent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// Commits are simple queries.
const COMMIT: &[u8] = b"commit\0";

/// Condition that breaks a connection; applies to the first connection that meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// After this number of further bytes in that direction, possibly within a message.
    Within(Way, usize),
    /// In place of the server's answer to a commit, after this number of other commits.
    Committed(usize),
}

/// A proxy on its own port, removed on drop.
pub struct Proxy {
    address: SocketAddr,
    url: String,
    wire: Arc<Wire>,
    accepting: JoinHandle<()>,
}

struct Wire {
    upstream: PgConnectOptions,
    cut: Mutex<Option<(Cut, oneshot::Sender<()>)>>,
    silent: watch::Sender<bool>,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Proxy {
    pub async fn start(url: &str) -> Self {
        let upstream: PgConnectOptions = url.parse().expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let url = url_through(address, &upstream);
        let wire = Arc::new(Wire {
            upstream,
            cut: Mutex::new(None),
            silent: watch::Sender::new(false),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&wire)));
        Self {
            address,
            url,
            wire,
            accepting,
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn place(&self) -> String {
        self.address.to_string()
    }

    /// Cuts one connection, and returns once it is cut.
    pub async fn cut(&self, cut: Cut) {
        let (done, is_done) = oneshot::channel();
        *self.wire.cut.lock().expect("no panic under the lock") = Some((cut, done));
        is_done.await.expect("somebody goes on asking");
    }

    /// While silent, passes nothing on and closes nothing. Connections of that time break when the silence ends, as
    /// after a vanished machine.
    pub fn set_silent(&self, silent: bool) {
        self.wire.silent.send_replace(silent);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn url_through(address: SocketAddr, upstream: &PgConnectOptions) -> String {
    let database = upstream.get_database().unwrap_or("postgres");
    let url = format!(
        "postgres://{}@{address}/{database}",
        upstream.get_username()
    );
    match upstream.get_options() {
        Some(options) => format!("{url}?options={}", options.replace('=', "%3D")),
        None => url,
    }
}

async fn accept(listener: TcpListener, wire: Arc<Wire>) {
    loop {
        let (client, _) = listener.accept().await.expect("a connection");
        let wire = Arc::clone(&wire);
        tokio::spawn(async move {
            let mut silent = wire.silent.subscribe();
            let mut passing = std::pin::pin!(wire.pass(client));
            tokio::select! {
                // Checks the silence first, so nothing passes once it has begun.
                biased;
                _fell = silent.wait_for(|silent| *silent) => {}
                () = &mut passing => return,
            }
            let _over = silent.wait_for(|silent| !*silent).await;
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToServer,
    ToClient,
}

struct Due {
    /// `true` to cut after the server has answered.
    once_answered: bool,
    done: oneshot::Sender<()>,
}

impl Wire {
    /// Passes bytes on in both directions until one end closes or the connection is cut.
    async fn pass(&self, mut client: TcpStream) {
        let Some(mut server) = self.connect().await else {
            return;
        };
        let (mut asked, mut answered) = ([0; 8192], [0; 8192]);
        loop {
            let (read, way) = tokio::select! {
                read = client.read(&mut asked) => (read, Way::ToServer),
                read = server.read(&mut answered) => (read, Way::ToClient),
            };
            let Ok(length @ 1..) = read else { return };
            let chunk = match way {
                Way::ToServer => &asked[..length],
                Way::ToClient => &answered[..length],
            };
            let (passed, due) = self.due(way, chunk);
            let written = match way {
                Way::ToServer => server.write_all(&chunk[..passed]).await,
                Way::ToClient => client.write_all(&chunk[..passed]).await,
            };
            if let Some(due) = due {
                if due.once_answered {
                    let _answered = server.read(&mut answered).await;
                }
                drop((client, server));
                return due.done.send(()).expect("somebody waits for the cut");
            }
            if written.is_err() {
                return;
            }
        }
    }

    /// Number of bytes of `chunk` to pass on, and the cut that is due after them.
    fn due(&self, way: Way, chunk: &[u8]) -> (usize, Option<Due>) {
        let mut planned = self.cut.lock().expect("no panic under the lock");
        let commits = chunk.windows(COMMIT.len()).any(|part| part == COMMIT);
        let (passed, once_answered) = match planned.as_mut().map(|(cut, _)| cut) {
            Some(Cut::Within(on, left)) if way == *on => {
                let passed = chunk.len().min(*left);
                *left -= passed;
                if *left > 0 {
                    return (passed, None);
                }
                (passed, false)
            }
            Some(Cut::Committed(others)) if way == Way::ToServer && commits => {
                if *others > 0 {
                    *others -= 1;
                    return (chunk.len(), None);
                }
                (chunk.len(), true)
            }
            _ => return (chunk.len(), None),
        };
        let done = planned.take().map(|(_, done)| done);
        let due = done.map(|done| Due {
            once_answered,
            done,
        });
        (passed, due)
    }

    async fn connect(&self) -> Option<Box<dyn Stream>> {
        let server = &self.upstream;
        // Refuses connections while the server does.
        if let Some(folder) = server.get_socket() {
            let path = folder.join(format!(".s.PGSQL.{}", server.get_port()));
            return Some(Box::new(UnixStream::connect(path).await.ok()?));
        }
        let place = (server.get_host(), server.get_port());
        Some(Box::new(TcpStream::connect(place).await.ok()?))
    }
}
