//! Entries: a player's rated rounds.

use super::{Connection, Fields, Row, players};
use crate::domain::PlayerId;
use crate::store::{NewEntry, PoolId, StoreError};

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<(PlayerId, u64)>,
    limit: u32,
) -> Result<Vec<NewEntry>, StoreError> {
    let (player, number) = last.map_or((0, 0), |(player, number)| (player.steam_id64(), number));
    let rows = sqlx::query(concat!(
        "select ",
        columns!(entries),
        " from entries where book = ",
        active_projection!(),
        " and (player_id, number) > ($2, $3) order by player_id, number limit $4"
    ))
    .bind(pool.0)
    .bind(player.cast_signed())
    .bind(number.cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

/// The entry of a row of the table.
pub(in crate::store) fn record(row: &Row) -> Result<NewEntry, StoreError> {
    let row = Fields::of(row, "entries");
    Ok(NewEntry {
        player: row.player("player_id")?,
        number: row.number("number")?,
        position: row.number("position")?,
        totals: players::totals(row)?,
    })
}
