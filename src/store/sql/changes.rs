//! What admins changed.

use super::{Connection, Row};
use crate::domain::{Rating, Timestamp};
use crate::store::{Change, ChangeKind, PoolId, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn insert(
    connection: &mut Connection,
    pool: PoolId,
    change: &Change,
) -> Result<(), StoreError> {
    let rating = match change.kind {
        ChangeKind::Set(rating) => Some(i64::from(rating.points())),
        ChangeKind::Reset => None,
    };
    sqlx::query(
        "insert into changes (pool_id, position, change_id, player_id, rating, reason, made_at,
                              rating_before, rounds_before)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(pool.0)
    .bind(change.position.cast_signed())
    .bind(&change.change_id)
    .bind(change.player.steam_id64().cast_signed())
    .bind(rating)
    .bind(&change.reason)
    .bind(change.made_at.unix_micros())
    .bind(i64::from(change.rating_before.points()))
    .bind(i64::from(change.rounds_before))
    .execute(connection)
    .await?;
    Ok(())
}

pub(in crate::store) async fn find(
    connection: &mut Connection,
    change_id: &str,
) -> Result<Option<(PoolId, Change)>, StoreError> {
    let row = sqlx::query(concat!(
        "select ",
        columns!(changes),
        " from changes where change_id = $1"
    ))
    .bind(change_id)
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((PoolId(row.try_get("pool_id")?), record(&row)?)))
        .transpose()
}

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<Change>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(changes),
        " from changes
         where pool_id = $1 and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Result<Change, StoreError> {
    let rating = |column: &'static str, points: i64| {
        i32::try_from(points)
            .ok()
            .and_then(Rating::new)
            .ok_or_else(|| corrupt("changes", column))
    };
    let position = row.try_get::<i64, _>("position")?;
    let rounds_before = row.try_get::<i64, _>("rounds_before")?;
    Ok(Change {
        position: u64::try_from(position).map_err(|_| corrupt("changes", "position"))?,
        change_id: row.try_get("change_id")?,
        player: super::players::player_id(row, "changes")?,
        kind: match row.try_get::<Option<i64>, _>("rating")? {
            Some(points) => ChangeKind::Set(rating("rating", points)?),
            None => ChangeKind::Reset,
        },
        reason: row.try_get("reason")?,
        made_at: Timestamp::from_unix_micros(row.try_get("made_at")?)
            .map_err(|_| corrupt("changes", "made_at"))?,
        rating_before: rating("rating_before", row.try_get("rating_before")?)?,
        rounds_before: u32::try_from(rounds_before)
            .map_err(|_| corrupt("changes", "rounds_before"))?,
    })
}
