//! The entries of players around some place of the log.

use sqlx::Row as _;

use super::{Connection, numbers};
use crate::domain::PlayerId;
use crate::store::{Entry, EntryChunk, PoolId, StoreError, listed_player};

/// The entries of each player's last full row that begins at or before the place of the log, and of the one behind it
/// where that is not full: one of them is the player's last up to that place.
///
/// # Design
/// As one text, as [`super::listed_players::after`] has it.
pub(crate) async fn around(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
    position: u64,
) -> Result<Vec<Entry>, StoreError> {
    let query = sqlx::query(concat!(
        "select string_agg(
             player_id || ' ' || entries || ' ' || coalesce(full_row, '- ') || ' ' ||
             case when full_row is null or full_row like (entries / $4 - 1) || ' %'
                  then coalesce(",
        digits_of!("last_entries"),
        ", '') else '-' end, '\n')
         from (select players.player_id, players.entries, players.last_entries, (
             select chunk || ' ' || ",
        digits_of!("content"),
        " from entries
             where entries.pool_id = $1 and entries.player_id = players.player_id
                   and entries.first_position <= $3 and",
        is_current!(entries, active_generation!()),
        " order by chunk desc limit 1
         ) as full_row ",
        from_wanted_players!(),
        ") as players",
    ))
    .bind(pool.0)
    .bind(numbers(players.iter().map(|id| id.steam_id64())))
    .bind(position.cast_signed())
    .bind(EntryChunk::SIZE.cast_signed());
    let row = query.fetch_one(connection).await?;
    let lines: Option<&str> = row.try_get(0)?;
    let mut entries = Vec::new();
    for line in lines.unwrap_or_default().split_terminator('\n') {
        listed_player::read_entries(line, &mut entries)?;
    }
    Ok(entries)
}
