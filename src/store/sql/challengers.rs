//! Queries of the table `challengers`: leases on evaluating models that only predict, and their quality figures.

use super::{Connection, Fields, Query, Row, execute};
use crate::domain::Timestamp;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Generation, PoolId, SettingsId, StoreError,
};

pub(crate) async fn get(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Option<ChallengersRecord>, StoreError> {
    let row = sqlx::query(select!(challengers, "from challengers where pool_id = $1"))
        .bind(pool.0)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(record).transpose()
}

pub(crate) async fn follow(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    lease_cutoff: Timestamp,
) -> Result<bool, StoreError> {
    let query = sqlx::query(
        "insert into challengers (pool_id, owner, renewed_at) values ($1, $2, $3)
         on conflict (pool_id) do update set owner = excluded.owner, renewed_at = excluded.renewed_at
         where challengers.owner = excluded.owner or challengers.renewed_at < $4",
    )
    .bind(pool.0)
    .bind(owner)
    .bind(now.unix_micros())
    .bind(lease_cutoff.unix_micros());
    is_owners(connection, query).await
}

pub(crate) async fn save(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    figures: &ChallengerFigures,
) -> Result<bool, StoreError> {
    let query = sqlx::query(
        "update challengers set renewed_at = $3, generation = $4, pruned = $5, settings_id = $6,
                                position = $7, rounds = $8, figures = $9
         where pool_id = $1 and owner = $2",
    )
    .bind(pool.0)
    .bind(owner)
    .bind(now.unix_micros())
    .bind(figures.generation.0)
    .bind(figures.pruned.cast_signed())
    .bind(figures.settings.0)
    .bind(figures.position.cast_signed())
    .bind(figures.rounds.cast_signed())
    .bind(&figures.content);
    is_owners(connection, query).await
}

pub(crate) async fn leave(
    connection: &mut Connection,
    pool: PoolId,
    owner: &str,
) -> Result<(), StoreError> {
    let query =
        sqlx::query("update challengers set renewed_at = $3 where pool_id = $1 and owner = $2")
            .bind(pool.0)
            .bind(owner)
            .bind(Timestamp::UNIX_EPOCH.unix_micros());
    execute(connection, query).await
}

/// Runs `query`, which changes the row of a pool's challengers only for the holder of their lease. Returns `true` if it
/// changed the row.
async fn is_owners(connection: &mut Connection, query: Query<'_>) -> Result<bool, StoreError> {
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

fn record(row: &Row) -> Result<ChallengersRecord, StoreError> {
    let row = Fields::of(row, "challengers");
    let content: Option<String> = row.get("figures")?;
    let figures = content.map(|content| {
        Ok::<_, StoreError>(ChallengerFigures {
            generation: Generation(row.get("generation")?),
            pruned: row.number("pruned")?,
            settings: SettingsId(row.get("settings_id")?),
            position: row.number("position")?,
            rounds: row.number("rounds")?,
            content,
        })
    });
    Ok(ChallengersRecord {
        owner: row.get("owner")?,
        renewed_at: row.time("renewed_at")?,
        figures: figures.transpose()?,
    })
}
