//! The constants that the logs were rated by.

use super::Connection;
use crate::rating::Parameters;
use crate::store::{PoolId, SettingsId, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn ensure(
    connection: &mut Connection,
    parameters: &Parameters,
) -> Result<SettingsId, StoreError> {
    let content = serde_json::to_string(parameters).map_err(|_| corrupt("settings", "content"))?;
    loop {
        let found = sqlx::query_scalar::<_, i64>("select id from settings where content = $1")
            .bind(&content)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(id) = found {
            return Ok(SettingsId(id));
        }
        // Where another instance writes the same or takes the number first, the next look finds it
        // or tries the next number.
        sqlx::query(
            "insert into settings (id, content)
             select coalesce(max(id), 0) + 1, $1 from settings where true on conflict do nothing",
        )
        .bind(&content)
        .execute(&mut *connection)
        .await?;
    }
}

pub(in crate::store) async fn of_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<(SettingsId, Parameters)>, StoreError> {
    let rows = sqlx::query(
        "select id, content from settings
         where id in (select settings_id from rounds where pool_id = $1)
         or id in (select settings_id from changes where pool_id = $1)
         order by id",
    )
    .bind(pool.0)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let parameters: Parameters = serde_json::from_str(row.try_get("content")?)
                .map_err(|_| corrupt("settings", "content"))?;
            let checked = parameters
                .checked()
                .map_err(|_| corrupt("settings", "content"))?;
            Ok((SettingsId(row.try_get("id")?), checked))
        })
        .collect()
}
