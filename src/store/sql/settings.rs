//! Queries of the tables `settings` and `ended_sessions`.

use super::{Connection, Fields, Row, bound, execute, json_text, read_all, read_value};
use crate::rating::Parameters;
use crate::store::{PoolId, SettingsId, StoreError};

pub(crate) async fn ensure(
    connection: &mut Connection,
    parameters: &Parameters,
) -> Result<SettingsId, StoreError> {
    let content = json_text(parameters)?;
    loop {
        let query = bound("select id from settings where content = $1", (&content,));
        if let Some(id) = read_value(connection, query).await? {
            return Ok(SettingsId(id));
        }
        // If another instance writes the same content or takes the key first, the next attempt finds the row or tries
        // the next key.
        let text = "insert into settings (id, content)
             select coalesce(max(id), 0) + 1, $1 from settings where true on conflict do nothing";
        execute(connection, bound(text, (&content,))).await?;
    }
}

pub(crate) async fn last_round_with_other_settings(
    connection: &mut Connection,
    pool: PoolId,
    position: Option<u64>,
    settings: Option<SettingsId>,
) -> Result<Option<(u64, SettingsId)>, StoreError> {
    // The index gives the last round of each set of constants at once, and there are few sets.
    let text = "select last.position, last.id from (
             select settings.id, (select rounds.position from rounds
                                  where rounds.pool_id = $1 and rounds.settings_id = settings.id
                                    and rounds.position < $2
                                  order by rounds.position desc limit 1) as position
             from settings where settings.id <> $3) last
         where last.position is not null order by last.position desc limit 1";
    let values = (
        pool,
        position.map_or(i64::MAX, u64::cast_signed),
        settings.map_or(0, |settings| settings.0),
    );
    let found = read_all(connection, bound(text, values), |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.number("position")?, SettingsId(row.get("id")?)))
    });
    Ok(found.await?.into_iter().next())
}

pub(crate) async fn has_ended(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let query = bound("select ends_at from ended_sessions where id = $1", (id,));
    Ok(read_value::<i64>(connection, query).await?.is_some())
}

pub(crate) fn record(row: &Row) -> Result<(SettingsId, Parameters), StoreError> {
    let row = Fields::of(row, "settings");
    let parameters: Parameters = row.json("content")?;
    let checked = parameters.checked().map_err(|_| row.corrupt("content"))?;
    Ok((SettingsId(row.get("id")?), checked))
}
