use super::{Connection, Fields, Row, execute, read_all};
use crate::domain::{NoticeName, PlayerId, ServerName, Timestamp};
use crate::store::{NoticeRecord, StoreError};

pub(crate) async fn delete_replaced(
    connection: &mut Connection,
    by: &NoticeRecord,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "delete from notices
         where (server = $1 and kind = $2 and coalesce(player_id, 0) = $3) or expires_at <= $4",
    )
    .bind(by.server.as_str())
    .bind(by.kind.to_string())
    .bind(key(by.player).unwrap_or_default())
    .bind(by.made_at.unix_micros());
    execute(connection, query).await
}

pub(crate) async fn insert(
    connection: &mut Connection,
    notice: &NoticeRecord,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into notices (server, name, kind, player_id, rating, message, made_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(notice.server.as_str())
    .bind(notice.name.as_str())
    .bind(notice.kind.to_string())
    .bind(key(notice.player))
    .bind(notice.rating.map(|rating| i64::from(rating.points())))
    .bind(&notice.message)
    .bind(notice.made_at.unix_micros())
    .bind(notice.expires_at.unix_micros());
    execute(connection, query).await
}

pub(crate) async fn keep_latest(
    connection: &mut Connection,
    server: &ServerName,
    most: u32,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "delete from notices where server = $1 and name not in (
             select name from notices where server = $1
             order by made_at desc, name desc limit $2)",
    )
    .bind(server.as_str())
    .bind(i64::from(most));
    execute(connection, query).await
}

pub(crate) async fn delete(
    connection: &mut Connection,
    server: &ServerName,
    name: &NoticeName,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from notices where server = $1 and name = $2")
        .bind(server.as_str())
        .bind(name.as_str());
    execute(connection, query).await
}

pub(crate) async fn list(
    connection: &mut Connection,
    server: &ServerName,
    now: Timestamp,
) -> Result<Vec<NoticeRecord>, StoreError> {
    let query = sqlx::query(
        "select server, name, kind, player_id, rating, message, made_at, expires_at from notices
         where server = $1 and expires_at > $2 order by made_at, name",
    )
    .bind(server.as_str())
    .bind(now.unix_micros());
    read_all(connection, query, record).await
}

fn key(player: Option<PlayerId>) -> Option<i64> {
    player.map(|player| player.steam_id64().cast_signed())
}

fn record(row: &Row) -> Result<NoticeRecord, StoreError> {
    let row = Fields::of(row, "notices");
    Ok(NoticeRecord {
        server: row.parsed("server")?,
        name: row.parsed("name")?,
        kind: row.parsed("kind")?,
        player: row.optional("player_id", Fields::player)?,
        rating: row.optional("rating", Fields::rating)?,
        message: row.get("message")?,
        made_at: row.time("made_at")?,
        expires_at: row.time("expires_at")?,
    })
}
