//! What is in the database that a backup is to be restored into.

use crate::cli::terminal::words::{plural, plural_of};
use crate::store::{StoreError, TABLES, Tx, newest_migration};

/// Where the migrations are listed that a database has been through, by any program that uses the same library.
const MIGRATIONS: &str = "_sqlx_migrations";
/// Beside [`TABLES`]: what a restore takes away too.
const FURTHER: [&str; 2] = [MIGRATIONS, "unrated_players"];

/// Whose tables a database has, of those that a restore replaces.
#[derive(Debug)]
pub(in crate::cli) enum Owner {
    /// RBS's.
    Rbs,
    /// Nobody's: there are none.
    Nobody,
    /// Another program's, which has these.
    Another(Vec<&'static str>),
}

/// Whose tables the database has. Where they are another's, the unit of work may be of no more use.
pub(in crate::cli) async fn owner(tx: &mut Tx) -> Result<Owner, StoreError> {
    match tx.is_ours().await {
        Ok(true) => return Ok(Owner::Rbs),
        Ok(false) => {}
        // It has other columns than the library's.
        Err(StoreError::Refused(_)) => return Ok(Owner::Another(vec![MIGRATIONS])),
        Err(error) => return Err(error),
    }
    let mut named: Vec<&'static str> = match tx.tables().await {
        Ok(tables) => tables.iter().map(|table| table.name).collect(),
        // One has a column of a type that RBS has no use for.
        Err(StoreError::Corrupt { table, .. }) => vec![table],
        Err(error) => return Err(error),
    };
    for name in TABLES.into_iter().chain(FURTHER) {
        if !named.contains(&name) && tx.count_rows(name).await? > 0 {
            named.push(name);
        }
    }
    Ok(if named.is_empty() {
        Owner::Nobody
    } else {
        Owner::Another(named)
    })
}

/// What a database has that cannot be computed again.
#[derive(Debug, Default)]
pub(in crate::cli) struct TargetDatabase {
    counts: Vec<(&'static str, u64)>,
}

impl TargetDatabase {
    /// Counts it.
    ///
    /// # Errors
    /// [`StoreError::Newer`] of a database that is ahead of this program.
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

    /// How many rounds there are, without those that are pruned.
    pub(in crate::cli) fn rounds(&self) -> u64 {
        let rounds = self.counts.iter().find(|(table, _)| *table == "rounds");
        rounds.map_or(0, |(_, count)| *count)
    }

    /// Whether there is nothing.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.counts.iter().all(|(_, count)| *count == 0)
    }

    /// What there is, in words.
    pub(in crate::cli) fn summary(&self) -> String {
        let some = self.counts.iter().filter(|(_, count)| *count > 0);
        let some: Vec<String> = some
            .map(|(table, count)| match *table {
                "changes" => plural(*count, "admin change"),
                "pruned_rounds" => plural(*count, "pruned round"),
                "prunes" => plural(*count, "prune"),
                "audit" => plural_of(*count, "audit entry", "audit entries"),
                "interventions" => plural(*count, "intervention"),
                _ => plural(*count, "round"),
            })
            .collect();
        if some.is_empty() {
            plural(0, "round")
        } else {
            some.join(", ")
        }
    }
}
