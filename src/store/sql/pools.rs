use super::{Connection, Fields, Query, Row, execute, json_text, read_all, state_bytes};
use crate::domain::PoolName;
use crate::rating::{Calibration, Experience, FavouriteTotals, PoolSums, PredictionTotals};
use crate::store::{Generation, PoolId, PoolRecord, StoreError, corrupt};

pub(crate) async fn ensure(
    connection: &mut Connection,
    name: &PoolName,
) -> Result<PoolId, StoreError> {
    loop {
        let found = sqlx::query_scalar::<_, i64>("select id from pools where name = $1")
            .bind(name.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(id) = found {
            return Ok(PoolId(id));
        }
        // If another instance takes the name or the key first, nothing is written. The next attempt finds the pool or
        // tries the next key.
        let made = sqlx::query_scalar::<_, i64>(
            "insert into pools (id, name, generation, cleared, log_length, rounds, draws, brier, log_loss,
                                right_halves, score_halves, favourites, favourite_predicted,
                                favourite_score_halves, favourite_brier, calibration, experience)
             select coalesce(max(id), 0) + 1, $1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $2, $3
             from pools where true
             on conflict do nothing returning id",
        )
        .bind(name.as_str())
        .bind(json_text(&Calibration::default())?)
        .bind(json_text(&Experience::default())?)
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(id) = made {
            return Ok(PoolId(id));
        }
    }
}

/// Runs an update that changes no row. Both engines refuse even this statement if they take no writes.
pub(crate) async fn try_to_write(connection: &mut Connection) -> Result<(), StoreError> {
    let query = sqlx::query("update pools set name = name where false");
    execute(connection, query).await
}

pub(crate) async fn rewrite_one(connection: &mut Connection) -> Result<(), StoreError> {
    let query = sqlx::query("update pools set name = name where id = (select min(id) from pools)");
    execute(connection, query).await
}

pub(crate) async fn get(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    let row = sqlx::query(select!(pools, "from pools where id = $1"))
        .bind(pool.0)
        .fetch_optional(connection)
        .await?;
    record(&row.ok_or_else(|| corrupt("pools", "id"))?)
}

pub(crate) async fn list(connection: &mut Connection) -> Result<Vec<PoolRecord>, StoreError> {
    let query = sqlx::query(select!(pools, "from pools"));
    let mut pools = read_all(connection, query, record).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    pools.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(pools)
}

pub(crate) async fn save(connection: &mut Connection, pool: &PoolRecord) -> Result<(), StoreError> {
    let query = bind(sqlx::query(update_pool!()), pool)?;
    execute(connection, query).await
}

/// Binds a pool's key, log length, prediction sums, generation and rating model to an SQL query, as `$1` to `$17`. The
/// pool's active generation (version of computed rows) is `$9`.
pub(crate) fn bind<'query>(
    query: Query<'query>,
    pool: &'query PoolRecord,
) -> Result<Query<'query>, StoreError> {
    let predictions = &pool.sums.predictions;
    Ok(query
        .bind(pool.id.0)
        .bind(pool.log_length.cast_signed())
        .bind(predictions.rounds.cast_signed())
        .bind(predictions.draws.cast_signed())
        .bind(predictions.brier)
        .bind(predictions.log_loss)
        .bind(predictions.right_halves.cast_signed())
        .bind(json_text(&pool.sums.calibration)?)
        .bind(pool.generation.0)
        .bind(predictions.score_halves.cast_signed())
        .bind(predictions.favourites.rounds.cast_signed())
        .bind(predictions.favourites.predicted)
        .bind(predictions.favourites.score_halves.cast_signed())
        .bind(predictions.favourites.brier)
        .bind(json_text(&pool.sums.experience)?)
        .bind(pool.model.name())
        .bind(state_bytes(&pool.model_state)))
}

pub(crate) async fn set_cleared(
    connection: &mut Connection,
    pool: PoolId,
    cleared: Generation,
) -> Result<(), StoreError> {
    let query = sqlx::query("update pools set cleared = $2 where id = $1 and cleared < $2");
    execute(connection, query.bind(pool.0).bind(cleared.0)).await
}

pub(crate) async fn told(connection: &mut Connection, pool: PoolId) -> Result<String, StoreError> {
    let query = sqlx::query_scalar("select told from pools where id = $1");
    Ok(query.bind(pool.0).fetch_one(connection).await?)
}

pub(crate) async fn set_told(
    connection: &mut Connection,
    pool: PoolId,
    before: &str,
    now: &str,
) -> Result<bool, StoreError> {
    let query = sqlx::query("update pools set told = $3 where id = $1 and told = $2");
    let query = query.bind(pool.0).bind(before).bind(now);
    Ok(query.execute(connection).await?.rows_affected() == 1)
}

pub(crate) fn record(row: &Row) -> Result<PoolRecord, StoreError> {
    let row = Fields::of(row, "pools");
    Ok(PoolRecord {
        id: PoolId(row.get("id")?),
        name: row.parsed("name")?,
        generation: Generation(row.get("generation")?),
        cleared: Generation(row.get("cleared")?),
        log_length: row.number("log_length")?,
        pruned: row.number("pruned")?,
        sums: PoolSums {
            predictions: PredictionTotals {
                rounds: row.number("rounds")?,
                draws: row.number("draws")?,
                brier: row.get("brier")?,
                log_loss: row.get("log_loss")?,
                right_halves: row.number("right_halves")?,
                score_halves: row.number("score_halves")?,
                favourites: FavouriteTotals {
                    rounds: row.number("favourites")?,
                    predicted: row.get("favourite_predicted")?,
                    score_halves: row.number("favourite_score_halves")?,
                    brier: row.get("favourite_brier")?,
                },
            },
            calibration: row.json("calibration")?,
            experience: row.json("experience")?,
        },
        model: row.parsed("model")?,
        model_state: row.model_state()?,
    })
}
