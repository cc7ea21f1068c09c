use std::path::PathBuf;

use rbs::random;
use rbs::store::DatabaseUrl;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tempfile::TempDir;

/// Environment variable with the URL of the PostgreSQL server; every test creates its own schema.
const VARIABLE: &str = "RBS_TEST_DATABASE_URL";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

#[derive(Debug)]
pub enum Database {
    Sqlite { folder: TempDir },
    Postgres { server: String, schema: String },
}

impl Database {
    pub async fn create(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::Sqlite {
                folder: tempfile::tempdir().expect("a temporary folder"),
            },
            Engine::Postgres => {
                let server = std::env::var(VARIABLE).unwrap_or_else(|_| {
                    panic!(
                        "the tests need PostgreSQL: run scripts/test.sh, which installs and starts \
                         one, or set {VARIABLE} to a server where schemas can be made"
                    )
                });
                let schema = format!("rbs_test_{}", random::hex::<8>().expect("random bits"));
                execute(&server, &format!("create schema {schema}")).await;
                Self::Postgres { server, schema }
            }
        }
    }

    pub fn url_text(&self) -> String {
        match self {
            Self::Sqlite { folder } => {
                format!("sqlite://{}", file(folder).display())
            }
            Self::Postgres { server, schema } => {
                let join = if server.contains('?') { '&' } else { '?' };
                format!("{server}{join}options=-csearch_path%3D{schema}")
            }
        }
    }

    pub fn url(&self) -> DatabaseUrl {
        self.url_text().parse().expect("a database address")
    }

    pub async fn remove(self) {
        if let Self::Postgres { server, schema } = self {
            execute(&server, &format!("drop schema {schema} cascade")).await;
        }
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("rbs.db")
}

async fn execute(server: &str, statement: &str) {
    let mut connection = PgConnection::connect(server)
        .await
        .unwrap_or_else(|error| panic!("{VARIABLE} is set, but nothing answers there: {error}"));
    connection
        .execute(sqlx::AssertSqlSafe(statement.to_owned()))
        .await
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
    connection.close().await.expect("PostgreSQL says goodbye");
}
