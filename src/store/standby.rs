use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::migrations::newest_migration;
use super::postgres::failover::{SIGN_OF_LIFE, Servers, connect_lazily};
use super::postgres::standby::{Tables, state, tables};
use super::{Connections, Engine, StandbyUrl, Store, StoreError};

/// A PostgreSQL server that follows the primary, from which may be read what need not be the latest.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Standby {
    servers: Servers,
    /// The primary's tables, once they are known.
    tables: Arc<OnceCell<Tables>>,
    server: String,
}

/// Why a standby cannot be read from.
#[derive(Debug, thiserror::Error)]
pub enum StandbyError {
    /// It does not answer, or not as a database of RBS does.
    #[error("the standby does not answer as a database of RBS does")]
    Store(#[from] StoreError),
    /// It does not answer soon enough.
    #[error("the standby does not answer")]
    Silent,
    /// It is a primary, or has become one.
    #[error(
        "the server of read_database_url is no standby (any more); name one that follows the primary"
    )]
    NoStandby,
    /// It follows another primary, or this is another database of it.
    #[error(
        "the server of read_database_url does not have the tables of DATABASE_URL; name a physical \
         standby of that server, and the same database and options"
    )]
    OtherTables,
    /// It has not come to the migrations of this program, or is too far ahead.
    #[error(
        "the standby has the migration {found}, and this program needs {known} or the one behind it; \
         wait until it has replayed the migrations"
    )]
    OtherMigration {
        /// The newest migration of the standby.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// It has something to replay, and has replayed nothing since its start.
    #[error("how far the standby is behind is not known, because it has replayed nothing yet")]
    UnknownLag,
}

impl Standby {
    /// The standby at `url`. It is connected to when it is first read from, so that one that is down
    /// stops no start.
    #[must_use]
    pub fn new(url: &StandbyUrl) -> Self {
        let server: &PgConnectOptions = url.server();
        Self {
            servers: connect_lazily(server),
            tables: Arc::default(),
            server: format!("{}:{}", server.get_host(), server.get_port()),
        }
    }

    /// Its host and port.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The database on the standby, with the time limit of `primary`. Clients take turns on both databases together. Nothing
    /// can be written to the standby.
    #[must_use]
    pub fn store(&self, primary: &Store) -> Store {
        Store {
            engine: Engine::Postgres(self.servers.clone()),
            ..primary.clone()
        }
    }

    /// How far it is behind `primary` at most.
    ///
    /// # Errors
    /// Where it cannot be read from.
    pub async fn lag(&self, primary: &Store) -> Result<Duration, StandbyError> {
        let asking = timeout(SIGN_OF_LIFE, state(self.servers.pool()));
        let state = asking.await.map_err(|_late| StandbyError::Silent)??;
        if !state.follows {
            return Err(StandbyError::NoStandby);
        }
        if state.tables != self.tables_of(primary).await? {
            return Err(StandbyError::OtherTables);
        }
        let (found, known) = (state.migration, newest_migration());
        if !(known..=known + 1).contains(&found) {
            return Err(StandbyError::OtherMigration { found, known });
        }
        let lag = state.lag.map(Duration::try_from_secs_f64);
        lag.and_then(Result::ok).ok_or(StandbyError::UnknownLag)
    }

    async fn tables_of(&self, primary: &Store) -> Result<Tables, StandbyError> {
        let Engine::Postgres(servers) = &primary.engine else {
            return Err(StandbyError::OtherTables);
        };
        let asking = async {
            let asked = timeout(SIGN_OF_LIFE, tables(servers.pool())).await;
            asked.unwrap_or(Err(StoreError::TimedOut))
        };
        Ok(*self.tables.get_or_try_init(|| asking).await?)
    }

    /// The connections to it that are open.
    #[must_use]
    pub fn connections(&self) -> Connections {
        Connections::of("standby", self.servers.pool())
    }

    /// Closes every connection once its unit of work has ended.
    pub async fn close(&self) {
        self.servers.close().await;
    }
}
