//! Who everybody was as a season ended.

use serde_json::{Value, json};

use super::Connection;
use super::sql::execute;
use crate::store::{PoolId, SeasonStanding, StoreError};

pub(crate) async fn save_standings(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    standings: &[SeasonStanding],
) -> Result<(), StoreError> {
    let rows: Value = standings
        .iter()
        .map(|one| {
            json!([
                one.player.steam_id64(),
                one.rank,
                one.rating,
                one.rounds,
                one.season_rounds,
                one.entries
            ])
        })
        .collect();
    let query = sqlx::query(concat!(
        insert_into!(season_standings),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
         from json_each($3)"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(rows.to_string());
    execute(connection, query).await
}
