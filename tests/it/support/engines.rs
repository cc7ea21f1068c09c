//! Tests that need a database but no HTTP service.

use std::panic::resume_unwind;
use std::time::Duration;

use rbs::store::Store;
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection};

use super::{Boxed, Database, Engine, TEST_TIMEOUT, Test, block_on, ended};

/// Generates the tests `on_sqlite` and `on_postgres` from one `async fn name(database: &Database)`.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        $(
            mod $name {
                #[test]
                fn on_sqlite() {
                    let test: crate::support::Test<_> = |database| Box::pin(super::$name(database));
                    crate::support::run_on(crate::support::Engine::Sqlite, test);
                }

                #[test]
                fn on_postgres() {
                    let test: crate::support::Test<_> = |database| Box::pin(super::$name(database));
                    crate::support::run_on(crate::support::Engine::Postgres, test);
                }
            }
        )+
    };
}

/// Runs `test` with an empty database on its own runtime.
pub fn run_on(engine: Engine, test: Test<Database>) {
    block_on(Box::pin(async move {
        run_bare(engine, async |database| test(database).await).await;
    }));
}

/// Runs `test` with an empty database, and removes the database however the test ends.
pub async fn run_bare(engine: Engine, test: impl AsyncFnOnce(&Database)) {
    // Boxed, because the future would be part of each test twice.
    Box::pin(run_bare_within(TEST_TIMEOUT, engine, test)).await;
}

pub async fn run_bare_within(longest: Duration, engine: Engine, test: impl AsyncFnOnce(&Database)) {
    if engine.is_left_out() {
        return;
    }
    let database = Database::create(engine).await;
    let test: Boxed<'_> = Box::pin(test(&database));
    let outcome = ended(longest, test).await;
    database.remove().await;
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => resume_unwind(panic),
        Err(late) => panic!("the test did not end within {longest:?}: {late}"),
    }
}

impl Database {
    pub fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
            Self::Postgres { .. } => Engine::Postgres,
        }
    }

    /// A store with migrated tables.
    pub async fn store(&self) -> Store {
        let store = Store::connect(&self.url()).await.expect("a database");
        store.migrate().await.expect("tables");
        store
    }

    /// Runs a statement directly on the database.
    pub async fn execute(&self, statement: &str) {
        let url = self.url_text();
        let sql = sqlx::AssertSqlSafe(statement.to_owned());
        let done = match self.engine() {
            Engine::Sqlite => {
                let mut connection = SqliteConnection::connect(&url).await.expect("SQLite");
                let done = connection.execute(sql).await.map(drop);
                connection.close().await.expect("SQLite says goodbye");
                done
            }
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&url).await.expect("PostgreSQL");
                let done = connection.execute(sql).await.map(drop);
                connection.close().await.expect("PostgreSQL says goodbye");
                done
            }
        };
        done.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// Returns the number that a statement selects.
    pub async fn count(&self, statement: &str) -> i64 {
        let url = self.url_text();
        let sql = || sqlx::AssertSqlSafe(statement.to_owned());
        let count = match self.engine() {
            Engine::Sqlite => {
                let mut connection = SqliteConnection::connect(&url).await.expect("SQLite");
                let query = sqlx::query_scalar(sql());
                query.fetch_one(&mut connection).await
            }
            Engine::Postgres => {
                let query = sqlx::query_scalar(sql());
                let mut connection = PgConnection::connect(&url).await.expect("PostgreSQL");
                query.fetch_one(&mut connection).await
            }
        };
        count.unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}
