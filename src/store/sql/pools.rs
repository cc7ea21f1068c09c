use super::{
    Connection, Fields, Query, Row, bound, execute, json_text, read_all, read_first, read_value,
    state_bytes,
};
use crate::domain::PoolName;
use crate::rating::{Calibration, Experience, FavouriteTotals, PoolSums, PredictionTotals};
use crate::store::{Generation, PoolId, PoolRecord, StoreError, corrupt};

pub(crate) async fn ensure(
    connection: &mut Connection,
    name: &PoolName,
) -> Result<PoolId, StoreError> {
    loop {
        let query = bound("select id from pools where name = $1", (name,));
        if let Some(id) = read_value(connection, query).await? {
            return Ok(PoolId(id));
        }
        // If another instance takes the name or the key first, nothing is written. The next attempt finds the pool or
        // tries the next key.
        let text = "insert into pools (id, name, generation, cleared, log_length, rounds, draws, brier, log_loss,
                                right_halves, score_halves, favourites, favourite_predicted,
                                favourite_score_halves, favourite_brier, calibration, experience)
             select coalesce(max(id), 0) + 1, $1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $2, $3
             from pools where true
             on conflict do nothing returning id";
        let values = (
            name,
            json_text(&Calibration::default())?,
            json_text(&Experience::default())?,
        );
        if let Some(id) = read_value(connection, bound(text, values)).await? {
            return Ok(PoolId(id));
        }
    }
}

pub(crate) async fn get(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    let query = bound(select!(pools, "from pools where id = $1"), (pool,));
    let found = read_first(connection, query, record).await?;
    found.ok_or_else(|| corrupt("pools", "id"))
}

pub(crate) async fn list(connection: &mut Connection) -> Result<Vec<PoolRecord>, StoreError> {
    let query = bound(select!(pools, "from pools"), ());
    let mut pools = read_all(connection, query, record).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    pools.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok(pools)
}

pub(crate) async fn save(connection: &mut Connection, pool: &PoolRecord) -> Result<(), StoreError> {
    execute(connection, bind(update_pool!(), pool)?).await
}

/// Returns an SQL query with a pool's key, log length, prediction sums, generation and rating model as `$1` to `$17`.
/// The pool's active generation (version of computed rows) is `$9`.
pub(crate) fn bind(text: &'static str, pool: &PoolRecord) -> Result<Query<'static>, StoreError> {
    let predictions = &pool.sums.predictions;
    let values = (
        pool.id,
        pool.log_length,
        predictions.rounds,
        predictions.draws,
        predictions.brier,
        predictions.log_loss,
        predictions.right_halves,
        json_text(&pool.sums.calibration)?,
        pool.generation,
        predictions.score_halves,
        predictions.favourites.rounds,
        predictions.favourites.predicted,
        predictions.favourites.score_halves,
        predictions.favourites.brier,
        json_text(&pool.sums.experience)?,
        pool.model.name(),
        state_bytes(&pool.model_state),
    );
    Ok(bound(text, values))
}

pub(crate) async fn told(connection: &mut Connection, pool: PoolId) -> Result<String, StoreError> {
    let query = bound("select told from pools where id = $1", (pool,));
    let told = read_value(connection, query).await?;
    told.ok_or_else(|| sqlx::Error::RowNotFound.into())
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
