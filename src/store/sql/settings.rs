//! Queries of the tables `settings` and `ended_sessions`.

use super::{Connection, Fields, execute, json_text, read_all};
use crate::domain::Timestamp;
use crate::rating::Parameters;
use crate::store::{PoolId, SettingsId, StoreError};

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
        // If another instance writes the same content or takes the key first, the next attempt finds the row or tries
        // the next key.
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

pub(crate) async fn last_round_with_other_settings(
    connection: &mut Connection,
    pool: PoolId,
    position: Option<u64>,
    settings: Option<SettingsId>,
) -> Result<Option<(u64, SettingsId)>, StoreError> {
    // The index gives the last round of each set of constants at once, and there are few sets.
    let query = sqlx::query(
        "select last.position, last.id from (
             select settings.id, (select rounds.position from rounds
                                  where rounds.pool_id = $1 and rounds.settings_id = settings.id
                                    and rounds.position < $2
                                  order by rounds.position desc limit 1) as position
             from settings where settings.id <> $3) last
         where last.position is not null order by last.position desc limit 1",
    )
    .bind(pool.0)
    .bind(position.map_or(i64::MAX, u64::cast_signed))
    .bind(settings.map_or(0, |settings| settings.0));
    let found = read_all(connection, query, |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.number("position")?, SettingsId(row.get("id")?)))
    });
    Ok(found.await?.into_iter().next())
}

pub(crate) async fn first_round_behind(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<Option<(u64, Timestamp)>, StoreError> {
    let query = sqlx::query(
        "select position, ended_at from rounds where pool_id = $1 and position > $2
         order by position limit 1",
    )
    .bind(pool.0)
    .bind(position.cast_signed());
    let found = read_all(connection, query, |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.number("position")?, row.time("ended_at")?))
    });
    Ok(found.await?.into_iter().next())
}

pub(crate) async fn end(
    connection: &mut Connection,
    id: &str,
    ends_at: Timestamp,
) -> Result<bool, StoreError> {
    let query = sqlx::query(
        "insert into ended_sessions (id, ends_at) values ($1, $2) on conflict (id) do nothing",
    )
    .bind(id)
    .bind(ends_at.unix_micros());
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

pub(crate) async fn delete_over(
    connection: &mut Connection,
    now: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from ended_sessions where ends_at <= $1");
    execute(connection, query.bind(now.unix_micros())).await
}

pub(crate) async fn has_ended(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let query = sqlx::query("select ends_at from ended_sessions where id = $1");
    let found = read_all(connection, query.bind(id), |row| {
        Fields::of(row, "ended_sessions").time("ends_at")
    });
    Ok(!found.await?.is_empty())
}
