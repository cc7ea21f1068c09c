//! Entries: a player's rated rounds.

use super::{Row, players};
use crate::domain::PlayerId;
use crate::rating::Totals;
use crate::store::{StoreError, corrupt};
use sqlx::Row as _;

/// The player, the number and the totals of a row of the table.
pub(in crate::store) fn record(row: &Row) -> Result<(PlayerId, u64, Totals), StoreError> {
    let number = row.try_get::<i64, _>("number")?;
    Ok((
        players::player_id(row, "entries")?,
        u64::try_from(number).map_err(|_| corrupt("entries", "number"))?,
        players::totals(row)?,
    ))
}
