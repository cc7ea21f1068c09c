//! Queries of the tables `results` and `round_groups`.

use super::super::{Connection, Fields, Row, bound, read_all, read_first};
use crate::domain::Probability;
use crate::rating::{GroupKind, GroupTotals, PredictionTotals, RoundResult};
use crate::store::{PoolId, StoreError, content};

pub(crate) async fn predictions_before(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<PredictionTotals, StoreError> {
    let text = concat!(
        "select results.position, ",
        columns!(results),
        " from results where pool_id = $1 and position < $2 and",
        is_current!(results, active_generation!()),
        " order by position desc limit 1"
    );
    let result = read_first(connection, bound(text, (pool, position)), record).await?;
    Ok(result.map(|result| result.predictions).unwrap_or_default())
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
    let text = select!(
        round_groups,
        "from round_groups where pool_id = $1 and kind = $2 order by rounds desc, name limit $3"
    );
    let query = bound(text, (pool, kind.name(), limit));
    let mut groups = read_all(connection, query, group).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    groups.sort_unstable_by(|(name, sums), (other_name, other_sums)| {
        let most = other_sums.rounds.cmp(&sums.rounds);
        most.then_with(|| name.cmp(other_name))
    });
    Ok(groups)
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

/// Reads the log position of a round, and the predicted probability that team a wins.
pub(crate) fn odds(row: &Row) -> Result<(u64, Probability), StoreError> {
    let row = Fields::of(row, "results");
    let odds = content::to_odds(row.get("content")?)?;
    Ok((row.number("position")?, odds))
}
