//! PostgreSQL: how to connect and migrate, and the queries that SQLite would not understand.

pub(crate) mod failover;
pub(super) mod queries;
pub(super) mod reports;
#[path = "../sql/mod.rs"]
pub(super) mod sql;

use sqlx::Connection as _;
use sqlx::migrate::Migrate as _;

use super::StoreError;
use super::migrations::{check_versions, migrator};

type Db = sqlx::Postgres;
type Connection = sqlx::PgConnection;
type Row = sqlx::postgres::PgRow;

/// The migration 3.
const UNRATED_PLAYERS: &str = include_str!("../../../migrations/0003_unrated_players.postgres.sql");

/// Migrates on a connection of its own, without the limits: a migration, or the wait for another
/// instance's, may take long.
pub(super) async fn migrate(pool: &sqlx::PgPool) -> Result<(), StoreError> {
    let migrator = migrator(UNRATED_PLAYERS);
    let options = (*pool.connect_options()).clone().options([
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    let mut connection = Connection::connect_with(&options).await?;
    migrator
        .run_direct(None, &mut connection, false)
        .await
        .map_err(StoreError::Migration)?;
    let applied = connection
        .list_applied_migrations(&migrator.table_name)
        .await;
    check_versions(&migrator, &applied.map_err(StoreError::Migration)?)?;
    Ok(connection.close().await?)
}
