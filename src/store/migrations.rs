//! The migrations, in the order of their numbers.

use sqlx::SqlStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

use super::StoreError;
use super::sqlite::OWN_MIGRATIONS;

/// The texts that each engine has in its own words.
pub(super) struct OwnMigrations {
    /// The migration 3.
    pub(super) unrated_players: &'static str,
    /// The migration 5.
    pub(super) shared_history: &'static str,
    /// The migration 10.
    pub(super) models: &'static str,
    /// The migration 11.
    pub(super) scoreboards: &'static str,
    /// The migration 21.
    pub(super) players_in_place: &'static str,
    /// The migration 22.
    pub(super) unrated_trigger: &'static str,
}

/// Every migration. Databases hold the checksums of those that they have been through, so a text
/// that was released never changes. Those in `own` are the engine's own.
///
/// What the database has beyond them is looked at when they have run.
fn migrator(own: &OwnMigrations) -> Migrator {
    let migrations = [
        (
            1,
            "ratings",
            include_str!("../../migrations/0001_ratings.sql"),
        ),
        (
            2,
            "interventions",
            include_str!("../../migrations/0002_interventions.sql"),
        ),
        (3, "unrated players", own.unrated_players),
        // Without a 4, the program before counts itself as too old.
        (5, "shared history", own.shared_history),
        (
            6,
            "progress",
            include_str!("../../migrations/0006_progress.sql"),
        ),
        (
            7,
            "prunes",
            include_str!("../../migrations/0007_prunes.sql"),
        ),
        (
            8,
            "notices",
            include_str!("../../migrations/0008_notices.sql"),
        ),
        (
            9,
            "challengers",
            include_str!("../../migrations/0009_challengers.sql"),
        ),
        (10, "models", own.models),
        (11, "scoreboards", own.scoreboards),
        (
            13,
            "player names",
            include_str!("../../migrations/0013_player_names.sql"),
        ),
        (
            16,
            "corrections",
            include_str!("../../migrations/0016_corrections.sql"),
        ),
        (
            17,
            "servers",
            include_str!("../../migrations/0017_servers.sql"),
        ),
        (
            18,
            "settings history",
            include_str!("../../migrations/0018_settings_history.sql"),
        ),
        (
            19,
            "seasons",
            include_str!("../../migrations/0019_seasons.sql"),
        ),
        (
            20,
            "season calendar",
            include_str!("../../migrations/0020_season_calendar.sql"),
        ),
        (21, "players in place", own.players_in_place),
        (22, "unrated trigger", own.unrated_trigger),
        (
            23,
            "senders",
            include_str!("../../migrations/0023_senders.sql"),
        ),
        (
            24,
            "strangers",
            include_str!("../../migrations/0024_strangers.sql"),
        ),
        (
            25,
            "ended sessions",
            include_str!("../../migrations/0025_ended_sessions.sql"),
        ),
    ];
    let migrations = migrations.into_iter().map(|(version, name, text)| {
        let text = SqlStr::from_static(text);
        // All of them are within the unit of work of whoever migrates, and none may end it.
        let is_without_transaction = true;
        Migration::new(
            version,
            name.into(),
            MigrationType::Simple,
            text,
            is_without_transaction,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.set_ignore_missing(true);
    migrator
}

/// The newest migration that this program knows.
#[must_use]
pub fn newest_migration() -> i64 {
    let all = migrations_behind(0);
    all.into_iter().map(|(number, _)| number).max().unwrap_or(0)
}

/// The migrations that a database which has been through `found` has still to go through, by number and name.
/// They are the same on both engines.
#[must_use]
pub fn migrations_behind(found: i64) -> Vec<(i64, String)> {
    let migrator = migrator(&OWN_MIGRATIONS);
    let behind = migrator.iter().filter(|one| one.version > found);
    behind
        .map(|one| (one.version, one.description.to_string()))
        .collect()
}

/// Refuses a database whose migrations, given by number and checksum, had other texts than this program's, as
/// migrating it would.
pub(super) fn compare(own: &OwnMigrations, applied: &[(i64, Vec<u8>)]) -> Result<(), StoreError> {
    let migrator = migrator(own);
    let differs = |(version, checksum): &&(i64, Vec<u8>)| {
        let mut known = migrator.iter();
        known.any(|one| one.version == *version && *one.checksum != **checksum)
    };
    match applied.iter().find(differs) {
        Some((version, _)) => Err(StoreError::OtherMigration(*version)),
        None => Ok(()),
    }
}

fn failure(error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMismatch(version) => StoreError::OtherMigration(version),
        other => StoreError::Migration(other),
    }
}

/// Migrates by that connection up to that migration, within whatever unit of work it is in.
pub(super) async fn migrate_to(
    connection: &mut impl Migrate,
    own: &OwnMigrations,
    migration: i64,
) -> Result<(), StoreError> {
    let migrator = migrator(own);
    let migrated = migrator.run_direct(Some(migration), connection, false);
    migrated.await.map_err(failure)
}

/// Migrates by that connection, and checks that the database is not too far ahead of this program:
/// a migration leaves the program before it working, and no earlier one, unless its number skips one.
pub(super) async fn migrate(
    connection: &mut impl Migrate,
    own: &OwnMigrations,
) -> Result<(), StoreError> {
    let migrator = migrator(own);
    let migrated = migrator.run_direct(None, connection, false).await;
    migrated.map_err(failure)?;
    let listed = connection.list_applied_migrations(&migrator.table_name);
    let applied = listed.await.map_err(failure)?;
    let known = newest_migration();
    match applied.iter().map(|migration| migration.version).max() {
        Some(found) if found > known + 1 => Err(StoreError::Newer { found, known }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{OwnMigrations, migrator};
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
        let migrator = migrator(&OwnMigrations {
            unrated_players: "",
            shared_history: "",
            models: "",
            scoreboards: "",
            players_in_place: "",
            unrated_trigger: "",
        });
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
            assert!(migration.no_tx && !migration.migration_type.is_down_migration());
        }
        let kept = include_str!("../../tests/schemas/0.1.0-sqlite.sql");
        assert!(kept.contains(CHECKSUMS[0].2));
    }
}
