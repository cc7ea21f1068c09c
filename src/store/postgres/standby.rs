//! What a standby says of itself.

use sqlx::PgPool;

use super::sql::Fields;
use crate::store::StoreError;

/// Which tables these are. A standby has its primary's in every one of these numbers; tables that were
/// copied in any other way, or those of another database, differ in one.
macro_rules! tables {
    () => {
        "(select system_identifier from pg_control_system()) as system,
         (select oid::bigint from pg_database where datname = current_database()) as database,
         'pools'::regclass::oid::bigint as pools"
    };
}

/// The tables of a server, by its own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tables {
    system: i64,
    database: i64,
    pools: i64,
}

/// What a server is at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Whether it follows a primary.
    pub(crate) follows: bool,
    pub(crate) tables: Tables,
    /// Its newest migration.
    pub(crate) migration: i64,
    /// How many seconds it is behind at most; `None` where it has replayed nothing since its start.
    pub(crate) lag: Option<f64>,
}

/// The tables of the primary.
pub(crate) async fn tables(primary: &PgPool) -> Result<Tables, StoreError> {
    let row = sqlx::query(concat!("select ", tables!()));
    read_tables(Fields::of(&row.fetch_one(primary).await?, "pools"))
}

/// What the server is now. One that has replayed all that it received, and receives, is not behind, however
/// long ago the last transaction was.
pub(crate) async fn state(server: &PgPool) -> Result<State, StoreError> {
    let row = sqlx::query(concat!(
        "select pg_is_in_recovery() as follows, ",
        tables!(),
        ", (select max(version) from _sqlx_migrations) as migration,
         case when pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()
                   and exists (select from pg_stat_wal_receiver) then 0
              else greatest(0, extract(epoch from clock_timestamp()
                                                  - pg_last_xact_replay_timestamp()))
         end::double precision as lag"
    ));
    let row = row.fetch_one(server).await?;
    let row = Fields::of(&row, "_sqlx_migrations");
    Ok(State {
        follows: row.get("follows")?,
        tables: read_tables(row)?,
        migration: row.number("migration")?,
        lag: row.get("lag")?,
    })
}

fn read_tables(row: Fields<'_>) -> Result<Tables, StoreError> {
    Ok(Tables {
        system: row.get("system")?,
        database: row.get("database")?,
        pools: row.get("pools")?,
    })
}
