//! Who everybody was as a season ended.

use super::Connection;
use super::sql::execute;
use crate::store::{PoolId, SeasonStanding, StoreError};

pub(crate) async fn save_standings(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    standings: &[SeasonStanding],
) -> Result<(), StoreError> {
    let column =
        |value: fn(&SeasonStanding) -> i64| -> Vec<i64> { standings.iter().map(value).collect() };
    let ranks = standings.iter().map(|one| one.rank.map(u64::cast_signed));
    let query = sqlx::query(concat!(
        insert_into!(season_standings),
        "* from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(column(|one| one.player.steam_id64().cast_signed()))
    .bind(ranks.collect::<Vec<Option<i64>>>())
    .bind(column(|one| one.rating.points().into()))
    .bind(column(|one| one.rounds.into()))
    .bind(column(|one| one.season_rounds.cast_signed()))
    .bind(column(|one| one.entries.cast_signed()));
    execute(connection, query).await
}
