//! All players of a pool at once, for lists.

use sqlx::Row as _;

use super::Connection;
use crate::domain::PlayerId;
use crate::store::{ListedPlayer, PoolId, StoreError};

/// Up to `limit` players behind `last`, by id.
///
/// # Design
/// A row costs ten times as much to be handed over as to be read, so all of them come as one text, a line each.
pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<ListedPlayer>, StoreError> {
    let query = sqlx::query(concat!(
        "select string_agg(
             player_id || ' ' || rating || ' ' || rounds || ' ' || entries || ' ' ||
             coalesce(cast(last_played as text), '-') || ' ' || expected_total || ' ' ||
             score_halves_total, '\n' order by player_id)
         from (select * from players where",
        of_pool_players!(),
        " and player_id > $2 order by player_id limit $3) as players",
    ))
    .bind(pool.0)
    .bind(last.map_or(0, PlayerId::steam_id64).cast_signed())
    .bind(i64::from(limit));
    let row = query.fetch_one(connection).await?;
    let lines: Option<&str> = row.try_get(0)?;
    let lines = lines.unwrap_or_default().split_terminator('\n');
    lines.map(ListedPlayer::read).collect()
}
