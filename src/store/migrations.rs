//! The migrations, in the order of their numbers.

use sqlx::migrate::{AppliedMigration, Migrator};

use super::StoreError;

/// Every migration. What the database has beyond them is looked at when they have run.
pub(super) fn migrator() -> Migrator {
    let mut migrator = sqlx::migrate!("./migrations");
    migrator.set_ignore_missing(true);
    migrator
}

/// Checks that the database, with those migrations `applied`, is not too far ahead of this program:
/// every migration leaves the program before it working, and no earlier one.
pub(super) fn check_versions(
    migrator: &Migrator,
    applied: &[AppliedMigration],
) -> Result<(), StoreError> {
    let known = migrator.iter().map(|migration| migration.version).max();
    let known = known.unwrap_or_default();
    let found = applied.iter().map(|migration| migration.version).max();
    match found {
        Some(found) if found > known + 1 => Err(StoreError::Newer { found, known }),
        _ => Ok(()),
    }
}
