//! Database migrations, in the order of their numbers.

use sqlx::SqlStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

use super::StoreError;

/// Number, name and SQL text of a database migration.
pub(super) type NumberedText = (i64, &'static str, &'static str);

/// SQL text of migration 1: the tables that SQLite and PostgreSQL declare alike, then those of the one engine.
macro_rules! tables {
    ($engine:literal) => {
        concat!(
            include_str!("../../migrations/0001_tables.sql"),
            include_str!(concat!("../../migrations/0001_tables.", $engine, ".sql"))
        )
    };
}

/// Migrations of PostgreSQL. Those of SQLite have the same numbers and names.
///
/// Migrations are append-only: every database stores the checksums of the migrations that it has been through.
pub(super) const POSTGRES: &[NumberedText] = &[(1, "tables", tables!("postgres"))];
pub(super) const SQLITE: &[NumberedText] = &[(1, "tables", tables!("sqlite"))];

fn migrator(texts: &[NumberedText]) -> Migrator {
    let migrations = texts.iter().map(|(number, name, text)| {
        let text = SqlStr::from_static(text);
        // The caller's transaction spans all migrations, so no migration may end it.
        let is_without_transaction = true;
        Migration::new(
            *number,
            (*name).into(),
            MigrationType::Simple,
            text,
            is_without_transaction,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // The function `migrate` checks if the database is too far ahead.
    migrator.set_ignore_missing(true);
    migrator
}

/// Returns the number of the newest migration that this program knows.
#[must_use]
pub fn newest_migration() -> i64 {
    SQLITE.last().map_or(0, |(number, _, _)| *number)
}

/// Returns number and name of every migration that a database at the migration `found` still needs.
#[must_use]
pub fn migrations_behind(found: i64) -> Vec<(i64, &'static str)> {
    let behind = SQLITE.iter().filter(|(number, _, _)| *number > found);
    behind.map(|(number, name, _)| (*number, *name)).collect()
}

/// Refuses a database with an applied migration (number and checksum) whose SQL text differs from that in `texts`.
pub(super) fn compare(
    texts: &[NumberedText],
    applied: &[(i64, Vec<u8>)],
) -> Result<(), StoreError> {
    let migrator = migrator(texts);
    let differs = |(version, checksum): &&(i64, Vec<u8>)| {
        let mut known = migrator.iter();
        known.any(|one| one.version == *version && *one.checksum != **checksum)
    };
    match applied.iter().find(differs) {
        Some((version, _)) => Err(StoreError::OtherMigration(*version)),
        None => Ok(()),
    }
}

pub(super) fn is_first(texts: &[NumberedText], migration: &(i64, Vec<u8>)) -> bool {
    let migrator = migrator(texts);
    let first = migrator.iter().next();
    first.is_some_and(|first| first.version == migration.0 && *first.checksum == *migration.1)
}

fn failure(error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMismatch(version) => StoreError::OtherMigration(version),
        other => StoreError::Migration(other),
    }
}

/// Runs the migrations up to number `newest` in the transaction of `connection`.
pub(super) async fn migrate_to(
    connection: &mut impl Migrate,
    texts: &[NumberedText],
    newest: i64,
) -> Result<(), StoreError> {
    let migrator = migrator(texts);
    let migrated = migrator.run_direct(Some(newest), connection, false);
    migrated.await.map_err(failure)
}

/// Runs the migrations in the transaction of `connection`. Refuses a database that is more than one migration ahead of
/// `texts`: after a migration, only the previous version of the program keeps working.
pub(super) async fn migrate(
    connection: &mut impl Migrate,
    texts: &[NumberedText],
) -> Result<(), StoreError> {
    let migrator = migrator(texts);
    let migrated = migrator.run_direct(None, connection, false).await;
    migrated.map_err(failure)?;
    let listed = connection.list_applied_migrations(&migrator.table_name);
    let applied = listed.await.map_err(failure)?;
    let known = texts.last().map_or(0, |(number, _, _)| *number);
    match applied.iter().map(|migration| migration.version).max() {
        Some(found) if found > known + 1 => Err(StoreError::Newer { found, known }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use sqlx::query_scalar;

    use super::{NumberedText, POSTGRES, SQLITE, migrate, migrate_to, migrator};
    use crate::store::{Durability, StoreError, sqlite};

    /// Number of every migration, with its checksums for PostgreSQL and SQLite.
    const CHECKSUMS: [(i64, &str, &str); 1] = [(
        1,
        "e13951b57361f915723eb39942bcc47ebe8d78ea74bc60d91aea60e80507ae035bdb339617e8476401f0cc1df07871fe",
        "cbd471c591fcee7d5fc35548d883f2334227d2133767b8aefeea1ffeec472e7d854571a75db686f9f6b37386a989536d",
    )];

    fn checksum(migration: &sqlx::migrate::Migration) -> String {
        let mut hex = String::new();
        for byte in &*migration.checksum {
            write!(hex, "{byte:02x}").unwrap();
        }
        hex
    }

    #[test]
    fn a_released_migration_never_changes() {
        let (postgres, sqlite) = (migrator(POSTGRES), migrator(SQLITE));
        let both = postgres.iter().zip(sqlite.iter());
        let found: Vec<_> = both
            .map(|(one, other)| {
                assert_eq!(
                    (one.version, &one.description),
                    (other.version, &other.description)
                );
                (one.version, checksum(one), checksum(other))
            })
            .collect();
        assert_eq!(POSTGRES.len(), SQLITE.len());
        let written = CHECKSUMS.map(|(number, one, other)| (number, one.into(), other.into()));
        assert_eq!(
            found, written,
            "migrations are append-only, since every database keeps their checksums: undo the change of a released \
             migration and add a new migration, with its checksums in this test"
        );
    }

    /// Returns all SQLite migrations of this program, followed by two that exist only in these tests: number 2, which
    /// creates a table, and number 3 with the SQL text `last`.
    fn with_two_more(last: &'static str) -> Vec<NumberedText> {
        let next = (
            2,
            "next",
            "create table remarks (id bigint not null primary key)",
        );
        [SQLITE, &[next, (3, "last", last)]].concat()
    }

    #[tokio::test]
    async fn a_migration_that_fails_undoes_those_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let pools = sqlite::connect(&folder.path().join("rbs.db"))
            .await
            .unwrap();
        sqlite::migrate(&pools).await.unwrap();
        let tables = "select count(*) from sqlite_master";
        let before: i64 = query_scalar(tables)
            .fetch_one(&pools.readers)
            .await
            .unwrap();

        let broken = with_two_more("create table more (id bigint); insert into nowhere values (1)");
        let mut tx = sqlite::begin(&pools, Durability::AtCommit).await.unwrap();
        let failed = migrate(&mut *tx, &broken).await;
        assert!(
            matches!(failed, Err(StoreError::Migration(_))),
            "{failed:?}"
        );
        drop(tx);
        let after: i64 = query_scalar(tables)
            .fetch_one(&pools.readers)
            .await
            .unwrap();
        assert_eq!(after, before);

        let mended = with_two_more("create table more (id bigint)");
        let mut tx = sqlite::begin(&pools, Durability::AtCommit).await.unwrap();
        migrate(&mut *tx, &mended).await.unwrap();
        tx.commit().await.unwrap();
        let newest = "select max(version) from _sqlx_migrations";
        let newest: i64 = query_scalar(newest)
            .fetch_one(&pools.readers)
            .await
            .unwrap();
        assert_eq!(newest, 3);
        // This program is two migrations behind that database.
        let refused = sqlite::migrate(&pools).await;
        assert!(
            matches!(refused, Err(StoreError::Newer { found: 3, known: 1 })),
            "{refused:?}"
        );
        pools.close().await;
    }

    #[tokio::test]
    async fn the_tables_of_an_older_backup_are_made_and_then_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let pools = sqlite::connect(&folder.path().join("rbs.db"))
            .await
            .unwrap();
        let texts = with_two_more("create table more (id bigint)");
        let newest = "select max(version) from _sqlx_migrations";
        let mut tx = sqlite::begin(&pools, Durability::AtCommit).await.unwrap();
        migrate_to(&mut *tx, &texts, 2).await.unwrap();
        let made: i64 = query_scalar(newest).fetch_one(&mut *tx).await.unwrap();
        migrate(&mut *tx, &texts).await.unwrap();
        let upgraded: i64 = query_scalar(newest).fetch_one(&mut *tx).await.unwrap();
        assert_eq!((made, upgraded), (2, 3));
        tx.rollback().await.unwrap();
        pools.close().await;
    }
}
