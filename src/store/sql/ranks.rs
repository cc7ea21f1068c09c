//! Queries for players with a rank: their rating is shown, and they played recently.

use super::{Connection, Fields, players, read_all};
use crate::domain::{PlayerId, Rating};
use crate::rating::PlayerState;
use crate::store::{PoolId, Ranked, StoreError};

pub(crate) async fn ratings(
    connection: &mut Connection,
    pool: PoolId,
    ranked: Ranked,
) -> Result<Vec<(Rating, u64)>, StoreError> {
    let query = sqlx::query(concat!(
        "select rating, count(*) as players from players where",
        of_pool_players!(),
        " and rounds >= $2 and last_played >= $3
         group by rating order by rating desc"
    ))
    .bind(pool.0)
    .bind(i64::from(ranked.shadow_rounds))
    .bind(ranked.stale_before.unix_micros());
    read_all(connection, query, |row| {
        let row = Fields::of(row, "players");
        Ok((row.rating("rating")?, row.number("players")?))
    })
    .await
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    ranked: Ranked,
    last: Option<(Rating, PlayerId)>,
    limit: u32,
) -> Result<Vec<PlayerState>, StoreError> {
    let (rating, player) = key(last);
    let query = sqlx::query(select!(
        players,
        "from players where",
        of_pool_players!(),
        "and rounds >= $2 and last_played >= $3
          and rating <= $4 and (rating < $4 or player_id > $5)
          order by rating desc, player_id limit $6"
    ))
    .bind(pool.0)
    .bind(i64::from(ranked.shadow_rounds))
    .bind(ranked.stale_before.unix_micros())
    .bind(rating)
    .bind(player)
    .bind(i64::from(limit));
    read_all(connection, query, players::record).await
}

pub(crate) async fn from(
    connection: &mut Connection,
    pool: PoolId,
    ranked: Ranked,
    before: u64,
    limit: u32,
) -> Result<Vec<PlayerState>, StoreError> {
    let query = sqlx::query(select!(
        players,
        "from players where",
        of_pool_players!(),
        "and rounds >= $2 and last_played >= $3
          order by rating desc, player_id limit $4 offset $5"
    ))
    .bind(pool.0)
    .bind(i64::from(ranked.shadow_rounds))
    .bind(ranked.stale_before.unix_micros())
    .bind(i64::from(limit))
    .bind(before.cast_signed());
    read_all(connection, query, players::record).await
}

/// Returns rating and id of a player, which order the leaderboard, as column values. `None` is the place before all.
pub(crate) fn key(place: Option<(Rating, PlayerId)>) -> (i64, i64) {
    match place {
        Some((rating, player)) => (rating.points().into(), player.steam_id64().cast_signed()),
        None => (i64::MAX, 0),
    }
}
