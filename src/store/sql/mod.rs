//! SQL queries that both database engines understand, compiled once for each, and the conversion of rows.

pub(crate) mod audit;
pub(crate) mod challengers;
pub(crate) mod changes;
pub(crate) mod imports;
pub(crate) mod interventions;
pub(crate) mod names;
pub(crate) mod notices;
pub(crate) mod players;
pub(crate) mod pools;
pub(crate) mod prunes;
pub(crate) mod ranks;
pub(crate) mod rebuilds;
pub(crate) mod reports;
pub(crate) mod rounds;
pub(crate) mod seasons;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod split_tables;
pub(crate) mod tables;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sqlx::{Decode, Row as _, Type};

use super::{Connection, Db, MIGRATIONS, Row, catalog, numbers};
use crate::domain::{PlayerId, Probability, Rating, Timestamp};
use crate::rating::ModelState;
use crate::store::{StoreError, corrupt};

/// Row of a database table, of which columns can be read. An impossible value in a column is [`StoreError::Corrupt`].
#[derive(Clone, Copy)]
pub(crate) struct Fields<'row> {
    row: &'row Row,
    table: &'static str,
}

impl<'row> Fields<'row> {
    pub(crate) fn of(row: &'row Row, table: &'static str) -> Self {
        Self { row, table }
    }

    pub(crate) fn corrupt(self, column: &'static str) -> StoreError {
        corrupt(self.table, column)
    }

    pub(crate) fn get<T: Decode<'row, Db> + Type<Db>>(
        self,
        column: &'static str,
    ) -> Result<T, StoreError> {
        self.row.try_get(column).map_err(|error| match error {
            sqlx::Error::ColumnDecode { .. } => self.corrupt(column),
            error => error.into(),
        })
    }

    /// Reads an integer from a column, and refuses null, which SQLite would read as 0.
    fn integer(self, column: &'static str) -> Result<i64, StoreError> {
        let integer: Option<i64> = self.get(column)?;
        integer.ok_or_else(|| self.corrupt(column))
    }

    pub(crate) fn number<T: TryFrom<i64>>(self, column: &'static str) -> Result<T, StoreError> {
        T::try_from(self.integer(column)?).map_err(|_| self.corrupt(column))
    }

    /// Reads a value that a column stores as text, such as a name.
    pub(crate) fn parsed<T: FromStr>(self, column: &'static str) -> Result<T, StoreError> {
        let text: &str = self.get(column)?;
        text.parse().map_err(|_| self.corrupt(column))
    }

    pub(crate) fn json<T: Deserialize<'row>>(self, column: &'static str) -> Result<T, StoreError> {
        serde_json::from_str(self.get(column)?).map_err(|_| self.corrupt(column))
    }

    pub(crate) fn time(self, column: &'static str) -> Result<Timestamp, StoreError> {
        Timestamp::from_unix_micros(self.integer(column)?).map_err(|_| self.corrupt(column))
    }

    pub(crate) fn player(self, column: &'static str) -> Result<PlayerId, StoreError> {
        PlayerId::from_steam_id64(self.integer(column)?.cast_unsigned())
            .map_err(|_| self.corrupt(column))
    }

    pub(crate) fn rating(self, column: &'static str) -> Result<Rating, StoreError> {
        Rating::new(self.number(column)?).ok_or_else(|| self.corrupt(column))
    }

    pub(crate) fn probability(self, column: &'static str) -> Result<Probability, StoreError> {
        Probability::new(self.get(column)?).ok_or_else(|| self.corrupt(column))
    }

    /// Reads the state of a rating model from a column. Null means an empty state.
    pub(crate) fn model_state(self) -> Result<ModelState, StoreError> {
        let bytes: Option<Vec<u8>> = self.get("model_state")?;
        Ok(ModelState::from_bytes(bytes.unwrap_or_default()))
    }

    /// Reads a column by the function `read`, or returns `None` if the column is null.
    pub(crate) fn optional<T>(
        self,
        column: &'static str,
        read: impl FnOnce(Self, &'static str) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        if sqlx::ValueRef::is_null(&self.row.try_get_raw(column)?) {
            return Ok(None);
        }
        read(self, column).map(Some)
    }
}

/// SQL query for PostgreSQL or SQLite, with the parameter values bound so far.
pub(crate) type Query<'text> = sqlx::query::Query<'text, Db, <Db as sqlx::Database>::Arguments>;

/// Runs a query, and converts each row found by the function `read`.
pub(crate) async fn read_all<T: Send + Unpin>(
    connection: &mut Connection,
    query: Query<'_>,
    read: fn(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    // A row takes several times the memory of its value, so rows are converted one by one.
    let rows = query.map(|row| read(&row)).fetch_all(connection).await?;
    rows.into_iter().collect()
}

/// Runs an SQL statement that returns no rows.
pub(crate) async fn execute(
    connection: &mut Connection,
    query: Query<'_>,
) -> Result<(), StoreError> {
    query.execute(connection).await?;
    Ok(())
}

/// Returns the state of a rating model as its column contains it: null if empty.
pub(crate) fn state_bytes(state: &ModelState) -> Option<&[u8]> {
    (!state.is_empty()).then_some(state.as_bytes())
}

pub(crate) fn json_text(content: &impl Serialize) -> Result<String, StoreError> {
    let written = serde_json::to_string(content);
    written.map_err(|error| StoreError::Refused(sqlx::Error::Encode(error.into())))
}
