//! A wire between the service and PostgreSQL that can be cut or fall silent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// What a unit of work sends to commit: a simple query.
const COMMIT: &[u8] = b"commit\0";

/// Where a connection breaks: whichever is the one to get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// After so many more bytes that way, wherever in a message that is.
    Within(Way, usize),
    /// When the server has answered a commit, after so many others, in place of its answer.
    Committed(usize),
}

/// A server's stand-in on a port of its own; gone when this is dropped.
pub struct Proxy {
    address: SocketAddr,
    url: String,
    wire: Arc<Wire>,
    accepting: JoinHandle<()>,
}

/// What all connections have in common.
struct Wire {
    upstream: PgConnectOptions,
    cut: Mutex<Option<(Cut, oneshot::Sender<()>)>>,
    silent: watch::Sender<bool>,
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Proxy {
    /// In front of the server of the database at `url`.
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

    /// The database, through this wire.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port of this wire.
    pub fn place(&self) -> String {
        self.address.to_string()
    }

    /// Cuts the connection that gets there, and ends when it is cut.
    pub async fn cut(&self, cut: Cut) {
        let (done, is_done) = oneshot::channel();
        *self.wire.cut.lock().expect("no panic under the lock") = Some((cut, done));
        is_done.await.expect("somebody goes on asking");
    }

    /// From now on, or no longer, nothing is passed on and nothing closed. The connections of that
    /// time are lost, as those to a machine that has vanished: they break when it ends.
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
                // The silence is looked at first, so that nothing passes once it has begun.
                biased;
                _fell = silent.wait_for(|silent| *silent) => {}
                () = &mut passing => return,
            }
            // Neither asked to go on nor dropped: nothing is read and nothing closed.
            let _over = silent.wait_for(|silent| !*silent).await;
        });
    }
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToServer,
    ToClient,
}

/// A cut that is due behind what is passed on.
struct Due {
    /// Whether the server is to have answered first.
    once_answered: bool,
    done: oneshot::Sender<()>,
}

impl Wire {
    /// Passes everything on in both directions until one end closes or the wire is cut.
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

    /// How much of `chunk` is passed on, and whether the wire is to be cut behind it.
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
        // A server that is away refuses us, and so do we.
        if let Some(folder) = server.get_socket() {
            let path = folder.join(format!(".s.PGSQL.{}", server.get_port()));
            return Some(Box::new(UnixStream::connect(path).await.ok()?));
        }
        let place = (server.get_host(), server.get_port());
        Some(Box::new(TcpStream::connect(place).await.ok()?))
    }
}
