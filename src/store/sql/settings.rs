//! The constants that the logs were rated by.

use super::{Connection, Fields, execute, json_text, read_all};
use crate::rating::Parameters;
use crate::store::{SettingsId, StoreError};

pub(crate) async fn ensure(
    connection: &mut Connection,
    parameters: &Parameters,
) -> Result<SettingsId, StoreError> {
    let content = json_text(parameters)?;
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
        let query = sqlx::query(
            "insert into settings (id, content)
             select coalesce(max(id), 0) + 1, $1 from settings where true on conflict do nothing",
        );
        execute(connection, query.bind(&content)).await?;
    }
}

pub(crate) async fn list(
    connection: &mut Connection,
) -> Result<Vec<(SettingsId, Parameters)>, StoreError> {
    let query = sqlx::query("select id, content from settings order by id");
    read_all(connection, query, |row| {
        let row = Fields::of(row, "settings");
        let parameters: Parameters = row.json("content")?;
        let checked = parameters.checked();
        let checked = checked.map_err(|_| row.corrupt("content"))?;
        Ok((SettingsId(row.get("id")?), checked))
    })
    .await
}
