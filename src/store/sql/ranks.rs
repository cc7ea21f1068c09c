//! Queries for players with a rank: their rating is shown, and they played recently.

use super::{Connection, Fields, Row, bound, players, read_all};
use crate::domain::{PlayerId, Rating};
use crate::rating::PlayerState;
use crate::store::{PoolId, Ranked, StoreError};

/// Reads a rating, and the number of players who have it.
pub(crate) fn rating(row: &Row) -> Result<(Rating, u64), StoreError> {
    let row = Fields::of(row, "players");
    Ok((row.rating("rating")?, row.number("players")?))
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    ranked: Ranked,
    last: Option<(Rating, PlayerId)>,
    limit: u32,
) -> Result<Vec<PlayerState>, StoreError> {
    let (rating, player) = key(last);
    let text = select!(
        players,
        "from players where",
        of_pool_players!(),
        "and rounds >= $2 and last_played >= $3
          and rating <= $4 and (rating < $4 or player_id > $5)
          order by rating desc, player_id limit $6"
    );
    let values = (pool, ranked, rating, player, limit);
    read_all(connection, bound(text, values), players::record).await
}

/// Returns rating and id of a player, which order the leaderboard, as column values. `None` is the place before all.
pub(crate) fn key(place: Option<(Rating, PlayerId)>) -> (i64, i64) {
    match place {
        Some((rating, player)) => (rating.points().into(), player.steam_id64().cast_signed()),
        None => (i64::MAX, 0),
    }
}
