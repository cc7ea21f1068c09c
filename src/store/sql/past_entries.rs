//! The entries of players around some place of the log.

use sqlx::Row as _;

use super::{Connection, numbers};
use crate::domain::PlayerId;
use crate::rating::Entry;
use crate::store::{PoolId, StoreError, listed_player};

/// The last entry of each player up to the place of the log, and those of the same row. It is in the player's last row, or
/// where that begins later, in the last full row that does not.
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
             players.player_id || ' ' || players.entries || ' ' || coalesce(",
        digits_of!("last_entries"),
        ", '') || ' ' || coalesce((
                 select chunk || ' ' || ",
        digits_of!("content"),
        " from entries
                 where entries.pool_id = $1 and entries.player_id = players.player_id
                       and entries.first_position <= $3 and",
        is_current!(entries, active_generation!()),
        " order by chunk desc limit 1
             ), '-'), '\n')",
        wanted_numbers!(),
        join_one!(
            players,
            of_pool_players!(),
            "and players.player_id = wanted.number"
        )
    ))
    .bind(pool.0)
    .bind(numbers(players.iter().map(|id| id.steam_id64())))
    .bind(position.cast_signed());
    let row = query.fetch_one(connection).await?;
    let lines: Option<&str> = row.try_get(0)?;
    let mut entries = Vec::new();
    for line in lines.unwrap_or_default().split_terminator('\n') {
        entries.append(&mut listed_player::read_entries(line, position)?);
    }
    Ok(entries)
}
