//! The constants that the logs were rated by.

use super::Connection;
use crate::rating::Parameters;
use crate::store::{SettingsId, StoreError, corrupt};
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

pub(in crate::store) async fn list(
    connection: &mut Connection,
) -> Result<Vec<(SettingsId, Parameters)>, StoreError> {
    let rows = sqlx::query("select id, content from settings order by id")
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
