//! Projections: who computes one, and how one goes away.

use super::{Connection, execute};
use crate::domain::{Timestamp, VoidAction};
use crate::store::{PoolId, ProjectionId, StoreError};

pub(crate) async fn begin(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    voided: Option<(u64, VoidAction)>,
) -> Result<ProjectionId, StoreError> {
    insert(connection, pool, Some(owner), now, voided).await
}

/// Writes a new projection of the pool; that of a new pool has no owner, since nobody has to compute
/// it.
pub(crate) async fn insert(
    connection: &mut Connection,
    pool: PoolId,
    owner: Option<&str>,
    now: Timestamp,
    voided: Option<(u64, VoidAction)>,
) -> Result<ProjectionId, StoreError> {
    let position = voided.map(|(position, _)| position.cast_signed());
    let voids = voided.map(|(_, action)| i64::from(action.is_void()));
    loop {
        // Where another instance takes the number first, this writes nothing and tries the next.
        let id = sqlx::query_scalar::<_, i64>(
            "insert into books
             (id, pool_id, computing, owner, renewed_at, round_position, voids)
             select coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, $6 from books where true
             on conflict do nothing returning id",
        )
        .bind(pool.0)
        .bind(i64::from(owner.is_some()))
        .bind(owner)
        .bind(now.unix_micros())
        .bind(position)
        .bind(voids)
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(id) = id {
            return Ok(ProjectionId(id));
        }
    }
}

pub(crate) async fn renew(
    connection: &mut Connection,
    projection: ProjectionId,
    owner: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let renewed = sqlx::query("update books set renewed_at = $3 where id = $1 and owner = $2")
        .bind(projection.0)
        .bind(owner)
        .bind(now.unix_micros())
        .execute(connection)
        .await?;
    Ok(renewed.rows_affected() == 1)
}

pub(crate) async fn finish(
    connection: &mut Connection,
    projection: ProjectionId,
    owner: &str,
) -> Result<bool, StoreError> {
    let finished =
        sqlx::query("update books set computing = 0, owner = null where id = $1 and owner = $2")
            .bind(projection.0)
            .bind(owner)
            .execute(connection)
            .await?;
    Ok(finished.rows_affected() == 1)
}

pub(crate) async fn disown(connection: &mut Connection, pool: PoolId) -> Result<(), StoreError> {
    let query = sqlx::query(
        "update books set computing = 0, owner = null where pool_id = $1 and computing = 1",
    )
    .bind(pool.0);
    execute(connection, query).await
}

pub(crate) async fn is_computed(
    connection: &mut Connection,
    pool: PoolId,
    lease_cutoff: Timestamp,
) -> Result<bool, StoreError> {
    let found = sqlx::query(
        "select id from books where pool_id = $1 and computing = 1 and renewed_at >= $2 limit 1",
    )
    .bind(pool.0)
    .bind(lease_cutoff.unix_micros())
    .fetch_optional(connection)
    .await?;
    Ok(found.is_some())
}

pub(crate) async fn void_under_way(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    lease_cutoff: Timestamp,
) -> Result<Option<VoidAction>, StoreError> {
    let voids = sqlx::query_scalar::<_, i64>(
        "select voids from books where pool_id = $1 and computing = 1 and renewed_at >= $2
         and round_position = $3 and voids is not null limit 1",
    )
    .bind(pool.0)
    .bind(lease_cutoff.unix_micros())
    .bind(position.cast_signed())
    .fetch_optional(connection)
    .await?;
    Ok(voids.map(|voids| match voids {
        0 => VoidAction::Unvoid,
        _ => VoidAction::Void,
    }))
}

pub(crate) async fn claim_retired(
    connection: &mut Connection,
    pool: PoolId,
    owner: &str,
    lease_cutoff: Timestamp,
    now: Timestamp,
) -> Result<Vec<ProjectionId>, StoreError> {
    let claimed = sqlx::query_scalar(concat!(
        "update books set computing = 0, owner = $2, renewed_at = $4
         where pool_id = $1 and (owner is null or renewed_at < $3) and id <> ",
        active_projection!(),
        " returning id"
    ))
    .bind(pool.0)
    .bind(owner)
    .bind(lease_cutoff.unix_micros())
    .bind(now.unix_micros())
    .fetch_all(connection)
    .await?;
    Ok(claimed.into_iter().map(ProjectionId).collect())
}

pub(crate) async fn delete_some(
    connection: &mut Connection,
    projection: ProjectionId,
    limit: u32,
) -> Result<bool, StoreError> {
    for statement in [
        "delete from entries where (book, player_id, number) in
         (select book, player_id, number from entries where book = $1 limit $2)",
        "delete from round_groups where (book, kind, name) in
         (select book, kind, name from round_groups where book = $1 limit $2)",
        "delete from results where (book, position) in
         (select book, position from results where book = $1 limit $2)",
        "delete from players where (book, player_id) in
         (select book, player_id from players where book = $1 limit $2)",
    ] {
        let deleted = sqlx::query(statement)
            .bind(projection.0)
            .bind(i64::from(limit))
            .execute(&mut *connection)
            .await?;
        if deleted.rows_affected() > 0 {
            return Ok(true);
        }
    }
    let query = sqlx::query("delete from books where id = $1").bind(projection.0);
    execute(connection, query).await?;
    Ok(false)
}
