use super::{Connection, Fields, Row, bound, execute, read_all};
use crate::domain::Timestamp;
use crate::store::{AuditEntry, PoolId, StoreError};

pub(crate) async fn insert(
    connection: &mut Connection,
    entry: &AuditEntry,
) -> Result<(), StoreError> {
    let round = entry.round.as_ref();
    let text =
        "insert into audit (made_at, id, secret, action, pool_id, player_id, server, round_id,
                            reason, before, after)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let values = (
        entry.made_at,
        &entry.id,
        entry.secret,
        &entry.action,
        entry.pool,
        entry.player,
        round.map(|(server, _)| server.as_str()),
        round.map(|(_, round_id)| round_id.as_str()),
        entry.reason.as_deref(),
        &entry.before,
        &entry.after,
    );
    execute(connection, bound(text, values)).await
}

pub(crate) async fn list(
    connection: &mut Connection,
    pool: Option<PoolId>,
    before: Option<(Timestamp, &str)>,
    limit: u32,
) -> Result<Vec<AuditEntry>, StoreError> {
    let query = match pool {
        None => select!(
            audit,
            "from audit where (made_at, id) < ($1, $2)
             order by made_at desc, id desc limit $3"
        ),
        Some(_) => select!(
            audit,
            "from audit where (made_at, id) < ($1, $2) and pool_id = $4
             order by made_at desc, id desc limit $3"
        ),
    };
    let (time, id) = before.map_or((i64::MAX, ""), |(time, id)| (time.unix_micros(), id));
    let mut query = bound(query, (time, id, limit));
    if let Some(pool) = pool {
        query = query.bind(pool.0);
    }
    read_all(connection, query, record).await
}

fn record(row: &Row) -> Result<AuditEntry, StoreError> {
    let row = Fields::of(row, "audit");
    let server = row.optional("server", Fields::parsed)?;
    let round_id = row.optional("round_id", Fields::parsed)?;
    Ok(AuditEntry {
        made_at: row.time("made_at")?,
        id: row.get("id")?,
        secret: row.optional("secret", Fields::parsed)?,
        action: row.get("action")?,
        pool: PoolId(row.get("pool_id")?),
        player: row.optional("player_id", Fields::player)?,
        round: server.zip(round_id),
        reason: row.get("reason")?,
        before: row.get("before")?,
        after: row.get("after")?,
    })
}
