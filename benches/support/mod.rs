//! Shared setup of the benchmarks: a fresh database on either engine, rounds to record, and pools to split.

#![allow(dead_code, reason = "each benchmark uses a part of this module")]
#![expect(
    unreachable_pub,
    reason = "a benchmark exports nothing, so `pub` means within the benchmark"
)]

pub mod history;
pub mod pools;
pub mod program;
pub mod requests;
pub mod timing;

use program::Program;
use rbs::clock::Clock;
use rbs::config::{Flags, Settings};
use rbs::domain::{Report, RoundParts};
use rbs::random;
use rbs::service::Service;
use rbs::store::Store;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgConnection};
use tempfile::TempDir;

/// Environment variable with the URL of the PostgreSQL server. Each benchmark creates its own schema there.
const VARIABLE: &str = "RBS_TEST_DATABASE_URL";

pub const SECRET: &str = "the-secret-of-the-measured-service";

/// First SteamID64 of individual accounts.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in the temporary folder (`TMPDIR`).
    Sqlite,
    /// The server named by [`VARIABLE`].
    Postgres,
}

pub const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

#[derive(Debug)]
pub enum Database {
    /// The folder that contains the file.
    Sqlite(TempDir),
    /// The server URL and the schema name.
    Postgres { server: String, schema: String },
}

/// Returns the PostgreSQL URL, or a sentence that says how to provide one.
pub fn postgres_server() -> Result<String, String> {
    std::env::var(VARIABLE).map_err(|_| {
        format!(
            "there is no PostgreSQL to measure: run this under scripts/with-postgres.sh, with \
             RBS_POSTGRES_FSYNC=on for honest commits, or set {VARIABLE}"
        )
    })
}

impl Database {
    pub async fn create(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::Sqlite(tempfile::tempdir().expect("a temporary folder")),
            Engine::Postgres => {
                let server = postgres_server().unwrap_or_else(|advice| panic!("{advice}"));
                let random = random::hex::<8>().expect("random bits");
                let schema = format!("rbs_bench_{random}");
                execute(&server, &format!("create schema {schema}")).await;
                Self::Postgres { server, schema }
            }
        }
    }

    /// The `rbs` program on this database.
    pub fn program(&self) -> Program {
        Program::new(self.url())
    }

    fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite://{}", folder.path().join("rbs.db").display()),
            Self::Postgres { server, schema } => {
                let join = if server.contains('?') { '&' } else { '?' };
                format!("{server}{join}options=-csearch_path%3D{schema}")
            }
        }
    }

    /// Settings of a service on this database, with additional `configuration` in TOML.
    pub fn settings(&self, configuration: &str) -> Settings {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("rbs.toml");
        std::fs::write(&path, configuration).expect("the configuration is written");
        let flags = Flags {
            config: Some(path),
            database_url: Some(self.url()),
            bind: None,
        };
        let environment = |name: &str| (name == "RBS_SECRET").then(|| SECRET.to_owned());
        Settings::load(&flags, environment).expect("settings")
    }

    /// Bytes of every table and index, largest first.
    pub async fn sizes(&self) -> Vec<(String, u64)> {
        let rows: Vec<(String, i64)> = match self {
            Self::Sqlite(_) => {
                let options: SqliteConnectOptions = self.url().parse().expect("a path");
                let mut connection = options.connect().await.expect("a file");
                let query = "select name, sum(pgsize) from dbstat group by name order by 2 desc";
                sqlx::query_as(query)
                    .fetch_all(&mut connection)
                    .await
                    .expect("sizes")
            }
            Self::Postgres { server, schema } => {
                let mut connection = PgConnection::connect(server).await.expect("PostgreSQL");
                let query = "select relname::text, pg_table_size(oid)
                             from pg_class
                             where relnamespace = $1::regnamespace and relkind in ('r', 'i')
                             order by 2 desc";
                sqlx::query_as(query)
                    .bind(schema)
                    .fetch_all(&mut connection)
                    .await
                    .expect("sizes")
            }
        };
        let sizes = rows.into_iter();
        sizes
            .map(|(name, bytes)| (name, bytes.cast_unsigned()))
            .collect()
    }

    /// Turns off autovacuum's statistics, as for a newly created or restored table, so that results do not depend on
    /// them. SQLite gathers no statistics by itself.
    pub async fn forbid_statistics(&self) {
        if let Self::Postgres { server, schema } = self {
            for table in ["entries", "players", "results", "rounds"] {
                let statement =
                    format!("alter table {schema}.{table} set (autovacuum_enabled = off)");
                execute(server, &statement).await;
            }
        }
    }

    pub async fn remove(self) {
        if let Self::Postgres { server, schema } = self {
            execute(&server, &format!("drop schema {schema} cascade")).await;
        }
    }
}

async fn execute(server: &str, statement: &str) {
    let mut connection = PgConnection::connect(server).await.expect("PostgreSQL");
    connection
        .execute(sqlx::AssertSqlSafe(statement.to_owned()))
        .await
        .expect("PostgreSQL obeys");
    connection.close().await.expect("PostgreSQL says goodbye");
}

/// Starts a service on an empty database.
pub async fn open(settings: &Settings) -> Service {
    begin(connect(settings).await, settings).await
}

/// Creates an empty database with its tables.
pub async fn connect(settings: &Settings) -> Store {
    let store = Store::connect(&settings.database)
        .await
        .expect("a database");
    store.migrate().await.expect("tables");
    store
}

/// Starts a service with cold caches.
pub async fn begin(store: Store, settings: &Settings) -> Service {
    Service::open(store, Clock::System, &settings.pools, &settings.servers)
        .await
        .expect("a service")
}

/// Deterministic pseudorandom numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws a number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % sides as u64).expect("less than `sides`")
    }

    /// Makes the first `count` of `players` a random selection.
    pub fn shuffle(&mut self, players: &mut [u64], count: usize) {
        for index in 0..count {
            let other = index + self.roll(players.len() - index);
            players.swap(index, other);
        }
    }
}

/// Returns `count` player ids from number `first`, disjoint from other ranges.
pub fn players(first: u64, count: u64) -> Vec<u64> {
    (first..first + count)
        .map(|number| FIRST_ACCOUNT + number)
        .collect()
}

/// A round between the two halves of `players`, as JSON.
pub fn round_json(pool: &str, round_id: &str, players: &[u64], dice: &mut Dice) -> Value {
    let ids: Vec<String> = players.iter().map(u64::to_string).collect();
    let (a, b) = ids.split_at(ids.len() / 2);
    let winner = if dice.roll(2) == 0 { "a" } else { "b" };
    json!({
        "round_id": round_id, "server": format!("{pool}-1"), "map": "arena_well", "pool": pool,
        "ended_at": 1_763_640_000, "winner": winner, "team_a": a, "team_b": b,
    })
}

/// A round between the two halves of `players`, parsed.
pub fn round(pool: &str, round_id: &str, players: &[u64], dice: &mut Dice) -> Report {
    let json = round_json(pool, round_id, players, dice);
    let parts: RoundParts = serde_json::from_value(json).expect("a round");
    Report::try_from(parts).expect("a round that can be rated")
}
