//! SQL queries that both database engines understand, compiled once for each, and the conversion of values and rows.

/// SQL query of the last player among the first `$3` rows of a table behind the player `$2`, by id.
macro_rules! last_player {
    ($table:literal) => {
        concat!(
            "select max(player_id) as player_id from (select player_id from ",
            $table,
            " where pool_id = $1 and player_id > $2 order by player_id limit $3) as some_rows"
        )
    };
}

pub(crate) mod audit;
pub(crate) mod challengers;
pub(crate) mod changes;
pub(crate) mod interventions;
pub(crate) mod names;
pub(crate) mod parameters;
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
pub(crate) mod tables;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sqlx::{Decode, Row as _, Type};

use super::{Connection, Db, MIGRATIONS, Row, catalog};
use crate::domain::{PlayerId, Probability, Rating, Timestamp};
use crate::rating::ModelState;
use crate::store::{PoolId, StoreError, corrupt};
use parameters::Parameters;

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

/// Returns an SQL query with the values of its parameters, from `$1` on.
pub(crate) fn bound<'values>(
    text: &'static str,
    parameters: impl Parameters<'values>,
) -> Query<'static> {
    parameters.bind(sqlx::query(text))
}

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

/// Runs a query, and converts the first row found, if any, by the function `read`.
pub(crate) async fn read_first<T>(
    connection: &mut Connection,
    query: Query<'_>,
    read: fn(&Row) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let row = query.fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

/// Runs a query, and returns the first column of the first row found. `None` if there is no row, or if the column is
/// null.
pub(crate) async fn read_value<T>(
    connection: &mut Connection,
    query: Query<'_>,
) -> Result<Option<T>, StoreError>
where
    T: for<'row> Decode<'row, Db> + Type<Db>,
{
    let Some(row) = query.fetch_optional(connection).await? else {
        return Ok(None);
    };
    Ok(row.try_get(0)?)
}

/// Runs an SQL statement that returns no rows.
pub(crate) async fn execute(
    connection: &mut Connection,
    query: Query<'_>,
) -> Result<(), StoreError> {
    query.execute(connection).await?;
    Ok(())
}

/// Runs an SQL statement, and returns `true` if it changed any row.
pub(crate) async fn changes_any(
    connection: &mut Connection,
    query: Query<'_>,
) -> Result<bool, StoreError> {
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// Returns the state of a rating model as its column contains it: null if empty.
pub(crate) fn state_bytes(state: &ModelState) -> Option<&[u8]> {
    (!state.is_empty()).then_some(state.as_bytes())
}

pub(crate) fn json_text(content: &impl Serialize) -> Result<String, StoreError> {
    let written = serde_json::to_string(content);
    written.map_err(|error| StoreError::Refused(sqlx::Error::Encode(error.into())))
}

/// Runs a query of the macro `last_player`.
async fn last_player(
    connection: &mut Connection,
    text: &'static str,
    pool: PoolId,
    after: i64,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let query = bound(text, (pool, after, limit));
    let found = read_first(connection, query, |row| {
        Fields::of(row, "entries").optional("player_id", Fields::player)
    });
    Ok(found.await?.flatten())
}
