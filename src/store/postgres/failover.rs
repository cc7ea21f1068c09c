//! Connections to PostgreSQL: to a single server, or to the one of several that takes writes.
//!
//! # Design
//! Of several servers, one is the primary and the others follow it. Every new connection checks that its server takes
//! writes. If no transaction can begin, a task searches for the server that takes writes. The pool then connects to it,
//! also for callers that already wait for a connection. RBS does not choose the primary: whoever promotes a standby
//! does.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool, Row as _};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::store::{ACQUIRE_TIMEOUT, StoreError, Tx};

/// Maximum number of connections to PostgreSQL. Rounds need only one for each rating pool.
const MAX_CONNECTIONS: u32 = 16;

/// Number of PostgreSQL connections that requests may use. The others are for rounds and the service's own work.
pub(crate) const CLIENT_CONNECTIONS: usize = 12;

/// Idle time up to which a connection is used without a ping. A ping would cost every round a round trip to the server.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// Maximum time for a ping or a rollback on a connection to PostgreSQL. A slower connection is closed: otherwise the
/// connection pool would miss it until the operating system closes it. The driver also pings a connection that is given
/// back, without a limit. So a connection is missing all the same if its server falls silent at that moment.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_millis(500);

/// Maximum time that a shutdown waits for database connections in use. Longer than a statement may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(6);

/// Pause between two searches for a server that takes writes.
const SEEK_PAUSE: Duration = Duration::from_millis(250);

/// Number of times that two connections are asked for their sessions, since other clients of a pooler may interfere.
const ASKED: usize = 3;

/// Connections to the PostgreSQL server that takes writes.
#[derive(Clone, Debug)]
pub(crate) struct Servers {
    pool: PgPool,
    /// Signal that no transaction can begin on the PostgreSQL server, which starts the search for a server that takes
    /// writes.
    lost: Arc<Notify>,
}

impl Servers {
    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Closes the database connections once they are free. Gives up if the server does not answer.
    pub(crate) async fn close(&self) {
        let closed = timeout(CLOSE_TIMEOUT, self.pool.close()).await;
        if closed.is_err() {
            tracing::warn!("Connections to the database were still in use when RBS stopped");
        }
    }

    /// Triggers the search for another server if `begun`, the result of beginning a transaction, is an error other than
    /// [`StoreError::Crowded`]. Returns `begun`.
    pub(crate) fn seek_unless(&self, begun: Result<Tx, StoreError>) -> Result<Tx, StoreError> {
        let is_lost = |error: &StoreError| !matches!(error, StoreError::Crowded);
        if begun.as_ref().is_err_and(is_lost) {
            self.lost.notify_one();
        }
        begun
    }
}

/// Connects to PostgreSQL: to the only server, or to the one of several that takes writes.
pub(crate) async fn connect(servers: &[PgConnectOptions]) -> Result<Servers, StoreError> {
    let servers: Arc<[PgConnectOptions]> = servers.iter().map(with_limits).collect();
    let several = servers.len() > 1;
    let current = if several { seek(&servers, 0).await? } else { 0 };
    let options = servers
        .get(current)
        .cloned()
        .ok_or(sqlx::Error::PoolTimedOut)?;
    let switched = Arc::new(Mutex::new(Instant::now()));
    let pool = pool_options(several, Arc::clone(&switched))
        .connect_with(options.clone())
        .await;
    let pool = match pool {
        // The pool has retried for as long as it may, and reports no cause. A single connection attempt does.
        Err(error @ sqlx::Error::PoolTimedOut) => Err(refusal(&options).await.unwrap_or(error)),
        pool => pool,
    }?;
    check_sessions(&pool).await?;
    let lost = Arc::new(Notify::new());
    if several {
        let following = follow(pool.clone(), servers, current, switched, Arc::clone(&lost));
        tokio::spawn(following);
    }
    Ok(Servers { pool, lost })
}

fn with_limits(server: &PgConnectOptions) -> PgConnectOptions {
    // A statement that exceeds these limits has met a fault, and so has a client that vanished in mid-transaction and
    // holds a pool's lock. Long work sets its own limits.
    let own = server.get_options().unwrap_or_default();
    let limits = [
        ("statement_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "5s"),
    ]
    .into_iter()
    .filter(|(name, _)| !own.contains(name));
    server
        .clone()
        .application_name("rbs")
        .options(limits)
        // Every query finds its rows by a key. A plan made for an empty table must not keep reading the whole table as
        // long as there are no statistics. No plan is remade for other values, because planning takes longer than the
        // query.
        .options([
            ("enable_seqscan", "off"),
            ("jit", "off"),
            ("plan_cache_mode", "force_generic_plan"),
        ])
}

fn pool_options(several: bool, switched: Arc<Mutex<Instant>>) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(Duration::from_mins(10))
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if several && !takes_writes(connection).await? {
                    // The server is no longer the primary, or not yet.
                    return Err(sqlx::Error::Protocol("the server is read-only".to_owned()));
                }
                Ok(())
            })
        })
        .before_acquire(move |connection, metadata| {
            let since_switch = switched.lock().elapsed();
            Box::pin(async move {
                if several && metadata.age > since_switch {
                    return Ok(false);
                }
                if metadata.idle_for > TRUSTED_FOR {
                    soon(connection.ping()).await?;
                }
                Ok(true)
            })
        })
}

/// Waits for PostgreSQL's answer to a ping or rollback, and returns an error after [`SIGN_OF_LIFE`].
pub(super) async fn soon<T>(
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let answered = timeout(SIGN_OF_LIFE, answer).await;
    answered.unwrap_or_else(|late| Err(std::io::Error::from(late).into()))
}

async fn takes_writes(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let read_only: String = sqlx::query_scalar("show transaction_read_only")
        .fetch_one(connection)
        .await?;
    Ok(read_only == "off")
}

/// Returns the index, from 0, of the PostgreSQL server that takes writes. Asks the server with the index `first` first.
///
/// # Errors
/// Returns the last server's error if no server takes writes.
async fn seek(servers: &[PgConnectOptions], first: usize) -> Result<usize, sqlx::Error> {
    let mut last = sqlx::Error::PoolTimedOut;
    let from_first = servers.iter().enumerate().cycle().skip(first);
    for (index, server) in from_first.take(servers.len()) {
        let asking = async {
            let mut connection = PgConnection::connect_with(server).await?;
            let takes_writes = takes_writes(&mut connection).await?;
            connection.close().await?;
            Ok::<bool, sqlx::Error>(takes_writes)
        };
        match timeout(SIGN_OF_LIFE, asking).await {
            Ok(Ok(true)) => return Ok(index),
            Ok(Ok(false)) | Err(_) => {}
            Ok(Err(error)) => last = error,
        }
    }
    Err(last)
}

/// Moves the connection pool to the server that takes writes whenever `lost` is notified, until the pool closes.
async fn follow(
    pool: PgPool,
    servers: Arc<[PgConnectOptions]>,
    mut current: usize,
    switched: Arc<Mutex<Instant>>,
    lost: Arc<Notify>,
) {
    loop {
        tokio::select! {
            () = lost.notified() => {}
            () = pool.close_event() => return,
        }
        let found = loop {
            match seek(&servers, current).await {
                Ok(found) => break found,
                Err(error) => {
                    tracing::warn!(%error, "No database server accepts writes");
                    tokio::select! {
                        () = tokio::time::sleep(SEEK_PAUSE) => {}
                        () = pool.close_event() => return,
                    }
                }
            }
        };
        if let Some(server) = servers.get(found).filter(|_| found != current) {
            tracing::warn!(
                host = server.get_host(),
                port = server.get_port(),
                "Another database server accepts writes now"
            );
            current = found;
            pool.set_connect_options(server.clone());
            *switched.lock() = Instant::now();
        }
    }
}

/// Returns the reason why the PostgreSQL server takes no connection, if it gives one.
async fn refusal(options: &PgConnectOptions) -> Option<sqlx::Error> {
    let connecting = PgConnection::connect_with(options);
    timeout(ACQUIRE_TIMEOUT, connecting).await.ok()?.err()
}

/// Checks that every connection to PostgreSQL has a session of its own with the requested options. Statements are
/// prepared once per connection, and migrations lock a session.
///
/// # Errors
/// Returns [`StoreError::Pooled`] or [`StoreError::OptionsLost`] if a pooler breaks either condition.
async fn check_sessions(pool: &PgPool) -> Result<(), StoreError> {
    let (mut one, mut other) = (pool.acquire().await?, pool.acquire().await?);
    let mut sessions = Vec::new();
    for _ in 0..ASKED {
        sessions.push((session(&mut one).await?, session(&mut other).await?));
    }
    // A pooler in transaction mode gives the second connection the session that the first has just released.
    let is_own = |(one, other): &(i32, i32)| one != other;
    if !sessions.iter().all(is_own) || sessions.windows(2).any(|two| two[0] != two[1]) {
        return Err(StoreError::Pooled);
    }
    let asked = sqlx::raw_sql("show enable_seqscan");
    let seqscan: String = asked.fetch_one(&mut *one).await?.try_get(0)?;
    if seqscan != "off" {
        return Err(StoreError::OptionsLost);
    }
    Ok(())
}

/// Returns the process id of a connection's session. Uses no prepared statement, which a pooler may not carry.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let asked = sqlx::raw_sql("select pg_backend_pid()");
    Ok(asked.fetch_one(connection).await?.try_get(0)?)
}
