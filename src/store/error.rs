use sqlx::migrate::MigrateError;

/// Why a unit of work came to nothing. Whatever it had written is undone.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, or cannot take anything at the moment (shut down, full,
    /// locked for too long). Trying again later is safe.
    #[error("the database does not answer")]
    Unavailable(#[source] sqlx::Error),
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
        let code = database.code().unwrap_or_default();
        if is_read_only(&code) {
            Self::ReadOnly(error)
        } else if is_passing(&code) {
            Self::Unavailable(error)
        } else {
            Self::Refused(error)
        }
    }
}

/// Whether an engine's error code says that nothing may be written: SQLite's primary code, in the
/// low byte, or the SQLSTATE.
fn is_read_only(code: &str) -> bool {
    match code.parse::<u32>() {
        Ok(number) if code.len() < 5 => number & 0xff == 8,
        _ => code == "25006",
    }
}

/// Whether an engine's error code speaks of its state and not of the statement.
fn is_passing(code: &str) -> bool {
    if let Ok(number) = code.parse::<u32>()
        && code.len() < 5
    {
        // SQLite keeps the primary code in the low byte: busy, locked, out of memory, interrupted,
        // I/O, full, cannot open.
        return matches!(number & 0xff, 5..=7 | 9 | 10 | 13 | 14);
    }
    // SQLSTATE classes: connection, transaction rollback (deadlock, serialization), out of
    // resources, operator intervention, system error.
    ["08", "40", "53", "57", "58"]
        .iter()
        .any(|class| code.starts_with(class))
        // A lock not to be had, a transaction that idled for too long, a statement planned before a
        // newer version of this program changed a table.
        || matches!(code, "55P03" | "25P03" | "0A000")
}

#[cfg(test)]
mod tests {
    use super::{is_passing, is_read_only};

    #[test]
    fn a_full_disk_passes_and_a_broken_statement_does_not() {
        for code in ["5", "517", "13", "10", "57P01", "53300", "40P01", "57014"] {
            assert!(is_passing(code), "{code}");
        }
        for code in ["1", "19", "2067", "42P01", "23505", "22P02", ""] {
            assert!(!is_passing(code), "{code}");
        }
        for code in ["8", "1032", "25006"] {
            assert!(is_read_only(code) && !is_passing(code), "{code}");
        }
        assert!(!is_read_only("5") && !is_read_only("25P03"));
    }
}
