//! Queries of the tables `results` and `round_groups`.

use super::super::{Connection, Fields, Row, execute, read_all};
use crate::domain::Probability;
use crate::rating::{GroupKind, GroupTotals, PredictionTotals, RoundResult};
use crate::store::{PoolId, StoreError, content};

pub(crate) async fn predictions_before(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<PredictionTotals, StoreError> {
    let row = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        " from results where pool_id = $1 and position < $2 and",
        is_current!(results, active_generation!()),
        " order by position desc limit 1"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .fetch_optional(connection)
    .await?;
    let result = row.as_ref().map(record).transpose()?;
    Ok(result.map(|result| result.predictions).unwrap_or_default())
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<RoundResult>, StoreError> {
    let query = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        " from results where pool_id = $1 and position > $2 and",
        is_current!(results, active_generation!()),
        " order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

pub(crate) async fn odds_after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<(u64, Probability)>, StoreError> {
    let query = sqlx::query(concat!(
        "select position, content from results where pool_id = $1 and position > $2 and",
        is_current!(results, active_generation!()),
        " order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, |row| {
        let row = Fields::of(row, "results");
        Ok((
            row.number("position")?,
            content::to_odds(row.get("content")?)?,
        ))
    })
    .await
}

pub(crate) fn record(row: &Row) -> Result<RoundResult, StoreError> {
    let row = Fields::of(row, "results");
    let number = row.number("number")?;
    content::to_result(row.number("position")?, number, row.get("content")?)
}

pub(crate) async fn list(
    connection: &mut Connection,
    pool: PoolId,
    kind: GroupKind,
    limit: u32,
) -> Result<Vec<(String, GroupTotals)>, StoreError> {
    let query = sqlx::query(select!(
        round_groups,
        "from round_groups where pool_id = $1 and kind = $2 order by rounds desc, name limit $3"
    ))
    .bind(pool.0)
    .bind(kind.name())
    .bind(i64::from(limit));
    let mut groups = read_all(connection, query, group).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    groups.sort_unstable_by(|(name, sums), (other_name, other_sums)| {
        let most = other_sums.rounds.cmp(&sums.rounds);
        most.then_with(|| name.cmp(other_name))
    });
    Ok(groups)
}

pub(crate) async fn delete_empty(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from round_groups where pool_id = $1 and rounds = 0");
    execute(connection, query.bind(pool.0)).await
}

fn group(row: &Row) -> Result<(String, GroupTotals), StoreError> {
    let row = Fields::of(row, "round_groups");
    let totals = GroupTotals {
        rounds: row.number("rounds")?,
        draws: row.number("draws")?,
        right_halves: row.number("right_halves")?,
        score_halves: row.number("score_halves")?,
        predicted: row.number("predicted")?,
        brier: row.number("brier")?,
        log_loss: row.number("log_loss")?,
        lead: row.get("lead")?,
    };
    Ok((row.get("name")?, totals))
}
