//! The queries that both engines understand, compiled once for each of them, and how a row is read.

pub(in crate::store) mod audit;
pub(in crate::store) mod changes;
pub(in crate::store) mod entries;
pub(in crate::store) mod interventions;
pub(in crate::store) mod players;
pub(in crate::store) mod pools;
pub(in crate::store) mod projections;
pub(in crate::store) mod ranks;
pub(in crate::store) mod results;
pub(in crate::store) mod round_groups;
pub(in crate::store) mod rounds;
pub(in crate::store) mod settings;
pub(in crate::store) mod split_tables;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sqlx::{Decode, Row as _, Type};

use super::{Connection, Db, Row};
use crate::domain::{PlayerId, Probability, Rating, Timestamp};
use crate::store::{StoreError, corrupt};

/// A row of `table`. A column that holds what cannot be is [`StoreError::Corrupt`].
#[derive(Clone, Copy)]
pub(in crate::store) struct Fields<'row> {
    row: &'row Row,
    table: &'static str,
}

impl<'row> Fields<'row> {
    pub(in crate::store) fn of(row: &'row Row, table: &'static str) -> Self {
        Self { row, table }
    }

    pub(in crate::store) fn corrupt(self, column: &'static str) -> StoreError {
        corrupt(self.table, column)
    }

    pub(in crate::store) fn get<T>(self, column: &'static str) -> Result<T, StoreError>
    where
        T: Decode<'row, Db> + Type<Db>,
    {
        self.row.try_get(column).map_err(|error| match error {
            sqlx::Error::ColumnDecode { .. } => self.corrupt(column),
            error => error.into(),
        })
    }

    /// A whole number.
    pub(in crate::store) fn number<T>(self, column: &'static str) -> Result<T, StoreError>
    where
        T: TryFrom<i64>,
    {
        T::try_from(self.get::<i64>(column)?).map_err(|_| self.corrupt(column))
    }

    /// A name, or whatever else is written as its text.
    pub(in crate::store) fn parsed<T>(self, column: &'static str) -> Result<T, StoreError>
    where
        T: FromStr,
    {
        let text: &str = self.get(column)?;
        text.parse().map_err(|_| self.corrupt(column))
    }

    /// What [`json_text`] wrote.
    pub(in crate::store) fn json<T>(self, column: &'static str) -> Result<T, StoreError>
    where
        T: Deserialize<'row>,
    {
        serde_json::from_str(self.get(column)?).map_err(|_| self.corrupt(column))
    }

    pub(in crate::store) fn time(self, column: &'static str) -> Result<Timestamp, StoreError> {
        Timestamp::from_unix_micros(self.get(column)?).map_err(|_| self.corrupt(column))
    }

    pub(in crate::store) fn player(self, column: &'static str) -> Result<PlayerId, StoreError> {
        PlayerId::from_steam_id64(self.get::<i64>(column)?.cast_unsigned())
            .map_err(|_| self.corrupt(column))
    }

    pub(in crate::store) fn rating(self, column: &'static str) -> Result<Rating, StoreError> {
        Rating::new(self.number(column)?).ok_or_else(|| self.corrupt(column))
    }

    pub(in crate::store) fn probability(
        self,
        column: &'static str,
    ) -> Result<Probability, StoreError> {
        Probability::new(self.get(column)?).ok_or_else(|| self.corrupt(column))
    }

    /// What `read` reads, or `None` where the column is null.
    pub(in crate::store) fn optional<T>(
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

/// The content of a column that holds JSON.
pub(in crate::store) fn json_text(content: &impl Serialize) -> Result<String, StoreError> {
    let written = serde_json::to_string(content);
    written.map_err(|error| StoreError::Refused(sqlx::Error::Encode(error.into())))
}
