//! Entries: a player's rated rounds.

use super::{Connection, Fields, Row, players, read_all};
use crate::domain::PlayerId;
use crate::store::{NewEntry, PoolId, StoreError};

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<(PlayerId, u64)>,
    limit: u32,
) -> Result<Vec<NewEntry>, StoreError> {
    let (player, number) = last.map_or((0, 0), |(player, number)| (player.steam_id64(), number));
    let query = sqlx::query(select_active!(
        entries,
        " and (player_id, number) > ($2, $3) order by player_id, number limit $4"
    ))
    .bind(pool.0)
    .bind(player.cast_signed())
    .bind(number.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

/// The entry of a row of the table.
pub(crate) fn record(row: &Row) -> Result<NewEntry, StoreError> {
    let row = Fields::of(row, "entries");
    Ok(NewEntry {
        player: row.player("player_id")?,
        number: row.number("number")?,
        position: row.number("position")?,
        totals: players::totals(row)?,
    })
}
