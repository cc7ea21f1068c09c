//! Sums over the rounds that have something in common.

use super::{Connection, Fields, Row, execute, read_all};
use crate::rating::{GroupKind, GroupTotals};
use crate::store::{PoolId, StoreError};

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
    let mut groups = read_all(connection, query, record).await?;
    // Sorted here, because every PostgreSQL sorts text by a locale of its own.
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

fn record(row: &Row) -> Result<(String, GroupTotals), StoreError> {
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
