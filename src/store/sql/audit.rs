//! What admins did.

use super::{Connection, Row, players};
use crate::domain::Timestamp;
use crate::store::{AuditEntry, PoolId, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn insert(
    connection: &mut Connection,
    entry: &AuditEntry,
) -> Result<(), StoreError> {
    let (server, round_id) = entry
        .round
        .as_ref()
        .map_or((None, None), |(server, round_id)| {
            (Some(server.as_str()), Some(round_id.as_str()))
        });
    sqlx::query(
        "insert into audit (made_at, id, secret, action, pool_id, player_id, server, round_id,
                            reason, before, after)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(entry.made_at.unix_micros())
    .bind(&entry.id)
    .bind(entry.secret.map(|secret| secret.to_string()))
    .bind(&entry.action)
    .bind(entry.pool.0)
    .bind(entry.player.map(|player| player.steam_id64().cast_signed()))
    .bind(server)
    .bind(round_id)
    .bind(&entry.reason)
    .bind(&entry.before)
    .bind(&entry.after)
    .execute(connection)
    .await?;
    Ok(())
}

pub(in crate::store) async fn list(
    connection: &mut Connection,
    pool: Option<PoolId>,
    before: Option<(Timestamp, &str)>,
    limit: u32,
) -> Result<Vec<AuditEntry>, StoreError> {
    let query = match pool {
        None => {
            concat!(
                "select ",
                columns!(audit),
                " from audit where (made_at, id) < ($1, $2)
                 order by made_at desc, id desc limit $3"
            )
        }
        Some(_) => {
            concat!(
                "select ",
                columns!(audit),
                " from audit where (made_at, id) < ($1, $2) and pool_id = $4
                 order by made_at desc, id desc limit $3"
            )
        }
    };
    let (time, id) = before.map_or((i64::MAX, ""), |(time, id)| (time.unix_micros(), id));
    let mut query = sqlx::query(query)
        .bind(time)
        .bind(id)
        .bind(i64::from(limit));
    if let Some(pool) = pool {
        query = query.bind(pool.0);
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Result<AuditEntry, StoreError> {
    let names = (
        row.try_get::<Option<&str>, _>("server")?,
        row.try_get::<Option<&str>, _>("round_id")?,
    );
    let round = match names {
        (Some(server), Some(round_id)) => Some((
            server.parse().map_err(|_| corrupt("audit", "server"))?,
            round_id.parse().map_err(|_| corrupt("audit", "round_id"))?,
        )),
        _ => None,
    };
    let player = match row.try_get::<Option<i64>, _>("player_id")? {
        Some(_) => Some(players::player_id(row, "audit")?),
        None => None,
    };
    Ok(AuditEntry {
        made_at: Timestamp::from_unix_micros(row.try_get("made_at")?)
            .map_err(|_| corrupt("audit", "made_at"))?,
        id: row.try_get("id")?,
        secret: row
            .try_get::<Option<&str>, _>("secret")?
            .map(|secret| secret.parse().map_err(|_| corrupt("audit", "secret")))
            .transpose()?,
        action: row.try_get("action")?,
        pool: PoolId(row.try_get("pool_id")?),
        player,
        round,
        reason: row.try_get("reason")?,
        before: row.try_get("before")?,
        after: row.try_get("after")?,
    })
}
