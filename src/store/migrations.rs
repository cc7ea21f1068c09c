//! The migrations, in the order of their numbers.

use sqlx::SqlStr;
use sqlx::migrate::{Migrate, Migration, MigrationType, Migrator};

use super::StoreError;

/// Every migration. Databases hold the checksums of those that they have been through, so a text
/// that was released never changes. The third, `unrated_players`, is the engine's own.
///
/// What the database has beyond them is looked at when they have run.
fn migrator(unrated_players: &'static str) -> Migrator {
    let migrations = [
        ("ratings", include_str!("../../migrations/0001_ratings.sql")),
        (
            "interventions",
            include_str!("../../migrations/0002_interventions.sql"),
        ),
        ("unrated players", unrated_players),
    ];
    let migrations = (1..).zip(migrations).map(|(version, (name, text))| {
        let text = SqlStr::from_static(text);
        Migration::new(version, name.into(), MigrationType::Simple, text, false)
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.set_ignore_missing(true);
    migrator
}

/// Migrates by that connection, and checks that the database is not too far ahead of this program:
/// every migration leaves the program before it working, and no earlier one.
pub(super) async fn migrate(
    connection: &mut impl Migrate,
    unrated_players: &'static str,
) -> Result<(), StoreError> {
    let migrator = migrator(unrated_players);
    let migrated = migrator.run_direct(None, connection, false).await;
    migrated.map_err(StoreError::Migration)?;
    let listed = connection.list_applied_migrations(&migrator.table_name);
    let applied = listed.await.map_err(StoreError::Migration)?;
    let known = migrator.iter().map(|migration| migration.version).max();
    let known = known.unwrap_or_default();
    match applied.iter().map(|migration| migration.version).max() {
        Some(found) if found > known + 1 => Err(StoreError::Newer { found, known }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::migrator;
    use std::fmt::Write as _;

    /// The checksums of databases that run.
    const CHECKSUMS: [(i64, &str, &str); 2] = [
        (
            1,
            "ratings",
            "fce5d3d4b91fdf700ca66904001c105ce86b2779465f89717e4413d70ebe034d163ee0289c8fe22010df8736c52e96e4",
        ),
        (
            2,
            "interventions",
            "f98744d9093c7ea0dccb3ba91f935b15bd23c2233bedd5cec274f3a1aa869bcdf73dfef38730fbf6b08f130c06f6bbd7",
        ),
    ];

    #[test]
    fn the_migrations_are_those_that_databases_have_been_through() {
        let migrator = migrator("");
        for (version, name, checksum) in CHECKSUMS {
            let migration = migrator.iter().find(|one| one.version == version).unwrap();
            let hex = migration
                .checksum
                .iter()
                .fold(String::new(), |mut hex, byte| {
                    write!(hex, "{byte:02x}").unwrap();
                    hex
                });
            assert_eq!((&*migration.description, &*hex), (name, checksum));
            assert!(!migration.no_tx && !migration.migration_type.is_down_migration());
        }
        let kept = include_str!("../../tests/schemas/0.1.0-sqlite.sql");
        assert!(kept.contains(CHECKSUMS[0].2));
    }
}
