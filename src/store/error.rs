use sqlx::migrate::MigrateError;

use crate::rating::{EngineError, InvalidState};

/// Why a unit of work came to nothing. Whatever it had written is undone.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, or cannot take anything at the moment (shut down, locked for too long). Trying
    /// again later is safe.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
    /// The disk of the database has no room left, a quota is used up, or a write failed. Trying again later is safe.
    #[error("the disk of the database is full, or refuses to be written to")]
    DiskFull(#[source] sqlx::Error),
    /// The database answers and takes no writes: a file without the permission, a server that only
    /// reads. Trying again later is safe.
    #[error("the database can only be read")]
    ReadOnly(#[source] sqlx::Error),
    /// A row that must be the only one of its kind is there already.
    #[error("a row with this key is there already")]
    Duplicate(#[source] sqlx::Error),
    /// A stored value that is not possible.
    #[error("the column {table}.{column} holds a value that is not possible")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
    },
    /// The tables could not be brought up to date.
    #[error("the database could not be migrated")]
    Migration(#[source] MigrateError),
    /// The database has been through another migration of that number than this program has.
    #[error(
        "migration {0} of the database is not the one that this program has: a version between two releases made \
         it; with that version, write the log by rbs export, and import it into a new database with this one"
    )]
    OtherMigration(i64),
    /// The database was migrated by a program that is more than one migration ahead.
    #[error(
        "the database was made by a newer version of RBS (migration {found}; this one knows {known} \
         and works with one more); start that version, or restore a backup"
    )]
    Newer {
        /// The newest migration of the database.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// A pooler gives each transaction another session.
    #[error(
        "between this program and PostgreSQL stands a pooler that gives every transaction another \
         session, and prepared statements and locks need one that stays; name PostgreSQL itself in \
         DATABASE_URL, or set pool_mode = session in the pooler"
    )]
    Pooled,
    /// A pooler does not pass the options of connections on.
    #[error(
        "the options that this program connects with do not reach PostgreSQL: a pooler in between drops \
         them; name PostgreSQL itself in DATABASE_URL, or set them for the user there: alter role USER \
         set enable_seqscan = off, and what docs/operation.md lists next to it"
    )]
    OptionsLost,
    /// No connection of those that clients share became free in time. A retry is safe.
    #[error("too many requests wait for the database")]
    Crowded,
    /// The database did not finish in time. Trying again later is safe.
    #[error("the database did not finish in time")]
    TimedOut,
    /// Anything else; a defect of the program.
    #[error("the database refused a statement")]
    Refused(#[source] sqlx::Error),
}

/// The error for `table.column` holding what cannot be.
pub(super) fn corrupt(table: &'static str, column: &'static str) -> StoreError {
    StoreError::Corrupt { table, column }
}

impl From<InvalidState> for StoreError {
    fn from(_: InvalidState) -> Self {
        corrupt("pools or players", "model_state")
    }
}

impl From<EngineError> for StoreError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::State(state) => state.into(),
            EngineError::MissingTotals(_) => corrupt("entries", "number"),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else {
            return match error {
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::Protocol(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed
                | sqlx::Error::BeginFailed => Self::Unavailable(error),
                other => Self::Refused(other),
            };
        };
        if database.is_unique_violation() {
            return Self::Duplicate(error);
        }
        kind_of(&database.code().unwrap_or_default())(error)
    }
}

/// Which error an engine's error code stands for: one of the state of the database, or of the
/// statement.
fn kind_of(code: &str) -> fn(sqlx::Error) -> StoreError {
    match code.parse::<u32>() {
        // Full, and the I/O error of a write, which a quota gives.
        Ok(13 | 778) => StoreError::DiskFull,
        // SQLite keeps the primary code in the low byte.
        Ok(number) if code.len() < 5 => match number & 0xff {
            8 => StoreError::ReadOnly,
            // Busy, locked, out of memory, interrupted, I/O, cannot open.
            5..=7 | 9 | 10 | 14 => StoreError::Unavailable,
            _ => StoreError::Refused,
        },
        _ => match (code, code.get(..2)) {
            ("25006", _) => StoreError::ReadOnly,
            ("53100", _) => StoreError::DiskFull,
            // A lock not to be had, a transaction that idled for too long, a statement planned
            // before a newer version of this program changed a table; and of the classes:
            // connection, transaction rollback (deadlock, serialization), out of resources,
            // operator intervention, system error.
            ("55P03" | "25P03" | "0A000", _) | (_, Some("08" | "40" | "53" | "57" | "58")) => {
                StoreError::Unavailable
            }
            _ => StoreError::Refused,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_passes_and_a_broken_statement_does_not() {
        let error = |code: &str| kind_of(code)(sqlx::Error::RowNotFound);
        for code in [
            "5", "517", "10", "57P01", "53300", "40P01", "57014", "25P03",
        ] {
            assert!(matches!(error(code), StoreError::Unavailable(_)), "{code}");
        }
        for code in ["1", "19", "2067", "42P01", "23505", "22P02", ""] {
            assert!(matches!(error(code), StoreError::Refused(_)), "{code}");
        }
        for code in ["13", "778", "53100"] {
            assert!(matches!(error(code), StoreError::DiskFull(_)), "{code}");
        }
        for code in ["8", "1032", "25006"] {
            assert!(matches!(error(code), StoreError::ReadOnly(_)), "{code}");
        }
    }
}
