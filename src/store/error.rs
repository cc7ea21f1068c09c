use sqlx::migrate::MigrateError;

use crate::rating::{EngineError, InvalidState};

/// Failure of a database transaction. Everything that the transaction wrote is rolled back.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, or takes nothing because of a shutdown or a long lock. A retry is safe.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
    /// The disk of the database is full, a quota is used up, or a write failed. A retry is safe.
    #[error("the disk of the database is full or not writable")]
    DiskFull(#[source] sqlx::Error),
    /// The database answers but takes no writes: a write-protected file, or a read-only server. A retry is safe.
    #[error("the database is read-only")]
    ReadOnly(#[source] sqlx::Error),
    /// A row with the same unique key already exists.
    #[error("a row with this key already exists")]
    Duplicate(#[source] sqlx::Error),
    /// A column of the database contains an impossible value.
    #[error("the column {table}.{column} holds an invalid value")]
    Corrupt {
        /// Name of the database table that contains the invalid value.
        table: &'static str,
        /// Name of the database column with the invalid value.
        column: &'static str,
    },
    /// A migration of the tables failed.
    #[error("the database could not be migrated")]
    Migration(#[source] MigrateError),
    /// The database was migrated with a migration of this number whose SQL text is not this program's.
    #[error(
        "migration {0} of the database is not the one of this program: a version between two releases made \
         it; export the log with that version (rbs export), and import it into a new database with this one"
    )]
    OtherMigration(i64),
    /// The database was migrated by a program that is more than one migration ahead.
    #[error(
        "the database was made by a newer version of RBS (migration {found}; this one knows {known} \
         and works with one more); start that version, or restore a backup"
    )]
    Newer {
        /// Number of the newest migration of the database.
        found: i64,
        /// Number of the newest migration that this program knows.
        known: i64,
    },
    /// A pooler between this program and PostgreSQL gives each transaction another session.
    #[error(
        "a pooler between this program and PostgreSQL gives every transaction another \
         session, but prepared statements and locks need a lasting session; name PostgreSQL itself in \
         DATABASE_URL, or set pool_mode = session in the pooler"
    )]
    Pooled,
    /// A pooler between this program and PostgreSQL drops the options of connections.
    #[error(
        "PostgreSQL does not receive the connection options of this program: a pooler in \
         between drops them; name PostgreSQL itself in DATABASE_URL, or set them for the user there: alter role USER \
         set enable_seqscan = off, and what docs/operation.md lists next to it"
    )]
    OptionsLost,
    /// Too many requests wait: none of the database connections for requests became free in time. A retry is safe.
    #[error("too many requests are waiting for the database")]
    Crowded,
    /// The database did not finish in time. A retry is safe.
    #[error("the database did not finish in time")]
    TimedOut,
    /// The database refused a statement for any other reason, which is a defect of this program.
    #[error("the database rejected a query; the log of RBS has the reason")]
    Refused(#[source] sqlx::Error),
}

/// Returns the error for a stored value that this program would not have written.
pub(crate) fn corrupt(table: &'static str, column: &'static str) -> StoreError {
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

/// Returns the constructor of the `StoreError` for an error code of SQLite or PostgreSQL.
fn kind_of(code: &str) -> fn(sqlx::Error) -> StoreError {
    match code.parse::<u32>() {
        // SQLITE_FULL, and SQLITE_IOERR_WRITE, which an exceeded quota causes.
        Ok(13 | 778) => StoreError::DiskFull,
        // SQLite keeps the primary code in the low byte.
        Ok(number) if code.len() < 5 => match number & 0xff {
            8 => StoreError::ReadOnly,
            // Busy, locked, out of memory, interrupted, I/O error, cannot open.
            5..=7 | 9 | 10 | 14 => StoreError::Unavailable,
            _ => StoreError::Refused,
        },
        _ => match (code, code.get(..2)) {
            ("25006", _) => StoreError::ReadOnly,
            ("53100", _) => StoreError::DiskFull,
            // Lock not available, idle transaction timeout, and a cached plan outdated by a migration. Classes:
            // connection, transaction rollback (deadlock, serialization), insufficient resources, operator
            // intervention, system error.
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
