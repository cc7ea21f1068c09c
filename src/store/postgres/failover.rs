//! PostgreSQL: how to connect, to one server or to that one of several that takes writes.
//!
//! # Design
//! Where several servers are named, one is the primary and the others follow it. Every connection
//! is asked whether its server takes writes before it is used. When no unit of work can begin, a
//! task looks through the servers until one takes writes, and the pool connects to that one from
//! then on, those included that wait for a connection meanwhile. Which server is to be the primary
//! is not for RBS to decide: whoever promotes a standby decides it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::pooler::check_sessions;
use crate::store::{ACQUIRE_TIMEOUT, StoreError, Tx};

/// More connections than a pool's rounds need, since each pool writes on one at a time.
const MAX_CONNECTIONS: u32 = 16;

/// Connections that requests take turns on. The others are reserved for rounds and for the service's own work.
pub(crate) const CLIENT_CONNECTIONS: usize = 12;

/// A connection that was in use this short a time ago is not asked whether it still lives: the
/// question would cost every round a trip to the server.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// How long a connection may take to show that it lives, or that its transaction is undone. One that
/// does not is given up: it would be missing from the pool until the operating system gives it up.
/// The driver asks once more when a connection is given back, without a limit, so one whose server falls silent at that
/// moment is missing all the same.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_millis(500);

/// How long a stop waits for connections: longer than a statement may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(6);

/// How long to wait before looking again for a server that takes writes, where none did.
const SEEK_PAUSE: Duration = Duration::from_millis(250);

/// The connections to the server that takes writes.
#[derive(Clone, Debug)]
pub(crate) struct Servers {
    pool: PgPool,
    /// Woken where no unit of work can begin.
    lost: Arc<Notify>,
}

impl Servers {
    /// The connections.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Closes them once they are free, as far as the server still answers.
    pub(crate) async fn close(&self) {
        let closed = timeout(CLOSE_TIMEOUT, self.pool.close()).await;
        if closed.is_err() {
            tracing::warn!("Connections to the database were still in use when RBS stopped");
        }
    }

    /// Looks for another server unless a unit of work has `begun`.
    pub(crate) fn seek_unless(&self, begun: Result<Tx, StoreError>) -> Result<Tx, StoreError> {
        let is_lost = |error: &StoreError| !matches!(error, StoreError::Crowded);
        if begun.as_ref().is_err_and(is_lost) {
            self.lost.notify_one();
        }
        begun
    }
}

/// Connects to whichever of the servers takes writes, or to the only one.
pub(crate) async fn connect(servers: &[PgConnectOptions]) -> Result<Servers, StoreError> {
    let servers: Arc<[PgConnectOptions]> = servers.iter().map(with_limits).collect();
    let several = servers.len() > 1;
    let current = if several { seek(&servers, 0).await? } else { 0 };
    let options = servers.get(current).cloned();
    let options = options.ok_or(sqlx::Error::PoolTimedOut)?;
    let switched = Arc::new(Mutex::new(Instant::now()));
    let pool = pool_options(several, Arc::clone(&switched))
        .connect_with(options.clone())
        .await;
    let pool = match pool {
        // The pool tried for as long as it may and reports no cause; one connection that is made at
        // once does.
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
    // A statement that runs or waits longer has met a fault; so has a client that went away
    // in the midst of a transaction and holds a pool's lock. Long work brings limits of its own.
    let own = server.get_options().unwrap_or_default();
    let limits = [
        ("statement_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "5s"),
    ];
    let limits = limits.into_iter().filter(|(name, _)| !own.contains(name));
    server
        .clone()
        .application_name("rbs")
        .options(limits)
        // Every query finds its rows by a key. A plan that was made while a table was empty must
        // not read all of it for as long as the plan is kept and there are no statistics; and none
        // has to be made anew for other values, which takes longer than what is planned.
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
                    // One that is not the primary any more, or not yet.
                    return Err(sqlx::Error::Protocol("the server only reads".to_owned()));
                }
                Ok(())
            })
        })
        .before_acquire(move |connection, metadata| {
            let since_switch = switched
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .elapsed();
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

/// What the server answers, unless it takes too long.
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

/// Which of the servers takes writes; `first` is asked first.
///
/// # Errors
/// Where none does: that of the last one.
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

/// Keeps `pool` with the server that takes writes.
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
                    tracing::warn!(%error, "No database server takes writes");
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
                "Another database server takes writes now"
            );
            current = found;
            pool.set_connect_options(server.clone());
            *switched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
    }
}

/// Why the server takes no connection, if it gives a reason.
async fn refusal(options: &PgConnectOptions) -> Option<sqlx::Error> {
    let connecting = PgConnection::connect_with(options);
    timeout(ACQUIRE_TIMEOUT, connecting).await.ok()?.err()
}
