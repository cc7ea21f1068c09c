//! Content of the database into which a backup is to be restored.

use crate::cli::terminal::words::{plural, plural_of};
use crate::store::{StoreError, TABLES, Tx, newest_migration};

/// Table of the applied migrations, used by every program with the same migration library.
const MIGRATIONS: &str = "_sqlx_migrations";
/// Tables besides [`TABLES`] that a restore drops.
const FURTHER: [&str; 2] = [MIGRATIONS, "unrated_players"];

/// Returns `true` if the database has the tables of RBS, which a restore replaces, and `false` if it has none. Returns an
/// error if it has tables of another program; the transaction may be unusable afterwards.
pub(in crate::cli) async fn has_tables(tx: &mut Tx) -> anyhow::Result<bool> {
    let another = |tables: &[&str]| {
        anyhow::anyhow!(
            "the database has tables of another program ({}), which would be deleted; name a new database in \
             DATABASE_URL (database_url)",
            tables.join(", ")
        )
    };
    match tx.is_ours().await {
        Ok(true) => return Ok(true),
        Ok(false) => {}
        Err(StoreError::Refused(_)) => return Err(another(&[MIGRATIONS])),
        Err(error) => return Err(error.into()),
    }
    let mut named: Vec<&'static str> = match tx.tables().await {
        Ok(tables) => tables.iter().map(|table| table.name).collect(),
        // A column has a type that RBS does not use.
        Err(StoreError::Corrupt { table, .. }) => vec![table],
        Err(error) => return Err(error.into()),
    };
    for name in TABLES.into_iter().chain(FURTHER) {
        if !named.contains(&name) && tx.count_rows(name).await? > 0 {
            named.push(name);
        }
    }
    if named.is_empty() {
        Ok(false)
    } else {
        Err(another(&named))
    }
}

/// Numbers of rows in a database to restore into, for the tables that cannot be computed from other tables.
#[derive(Debug, Default)]
pub(in crate::cli) struct TargetDatabase {
    counts: Vec<(&'static str, u64)>,
}

impl TargetDatabase {
    /// Counts the rows of a database to restore into.
    ///
    /// # Errors
    /// Returns [`StoreError::Newer`] if the database is newer than this program.
    pub(in crate::cli) async fn count(tx: &mut Tx) -> Result<Self, StoreError> {
        let known = newest_migration();
        if let Some(found) = tx.migration().await?.filter(|found| *found > known) {
            return Err(StoreError::Newer { found, known });
        }
        let mut counts = Vec::new();
        for table in [
            "rounds",
            "changes",
            "pruned_rounds",
            "prunes",
            "audit",
            "interventions",
        ] {
            counts.push((table, tx.count_rows(table).await?));
        }
        Ok(Self { counts })
    }

    pub(in crate::cli) fn rounds(&self) -> u64 {
        let rounds = self.counts.iter().find(|(table, _)| *table == "rounds");
        rounds.map_or(0, |(_, count)| *count)
    }

    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.counts.iter().all(|(_, count)| *count == 0)
    }

    pub(in crate::cli) fn summary(&self) -> String {
        let filled = self.counts.iter().filter(|(_, count)| *count > 0);
        let some: Vec<String> = filled
            .map(|(table, count)| rows_of(table, *count))
            .collect();
        if some.is_empty() {
            plural(0, "round")
        } else {
            some.join(", ")
        }
    }
}

/// Describes a number of rows of a table, such as "2 audit entries".
pub(super) fn rows_of(table: &str, count: u64) -> String {
    match table {
        "audit" => plural_of(count, "audit entry", "audit entries"),
        "changes" => plural(count, "admin change"),
        "interventions" => plural(count, "intervention"),
        "pools" => plural(count, "pool"),
        "pruned_rounds" => plural(count, "pruned round"),
        "prunes" => plural(count, "prune"),
        _ => plural(count, "round"),
    }
}
