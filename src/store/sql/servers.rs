//! Queries for game servers: their greetings, refusals, tables of splits and notices.

use super::{Connection, Fields, Row, bound, execute, read_all};
use crate::domain::{PlayerId, ServerName, Timestamp};
use crate::store::{Greeting, NoticeRecord, RefusalRecord, StoreError};

/// Maximum number of past tables of splits of a server, of about two kilobytes each.
const KEPT_SPLIT_TABLES: i64 = 200;

pub(crate) async fn save_greeting(
    connection: &mut Connection,
    greeting: &Greeting,
) -> Result<(), StoreError> {
    let text = "insert into servers (server, plugin, secret, hello_at) values ($1, $2, $3, $4)
         on conflict (server) do update set
             plugin = excluded.plugin, secret = excluded.secret, hello_at = excluded.hello_at
         where servers.hello_at <= excluded.hello_at";
    let values = (
        &greeting.server,
        greeting.plugin,
        greeting.secret,
        greeting.at,
    );
    execute(connection, bound(text, values)).await
}

pub(crate) async fn greetings(connection: &mut Connection) -> Result<Vec<Greeting>, StoreError> {
    let query = bound("select server, plugin, secret, hello_at from servers", ());
    let mut greetings = read_all(connection, query, greeting).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    greetings.sort_unstable_by(|one, other| one.server.cmp(&other.server));
    Ok(greetings)
}

pub(crate) async fn forget(
    connection: &mut Connection,
    server: &ServerName,
) -> Result<(), StoreError> {
    for query in [
        "delete from servers where server = $1",
        "delete from split_tables where server = $1",
        "delete from past_split_tables where server = $1",
    ] {
        execute(connection, bound(query, (server,))).await?;
    }
    Ok(())
}

fn greeting(row: &Row) -> Result<Greeting, StoreError> {
    let row = Fields::of(row, "servers");
    Ok(Greeting {
        server: row.parsed("server")?,
        plugin: row.optional("plugin", Fields::parsed)?,
        secret: row.parsed("secret")?,
        at: row.time("hello_at")?,
    })
}

pub(crate) async fn save_refusal(
    connection: &mut Connection,
    refusal: &RefusalRecord,
    most: u32,
) -> Result<(), StoreError> {
    let text = "insert into refusals (id, last_at, content) values ($1, $2, $3)
         on conflict (id) do update set last_at = excluded.last_at, content = excluded.content";
    let values = (&refusal.id, refusal.last_at, &refusal.content);
    execute(connection, bound(text, values)).await?;
    let text = "delete from refusals where id in (
             select id from refusals order by last_at desc, id limit 1000 offset $1)";
    execute(connection, bound(text, (most,))).await
}

pub(crate) async fn add_refused_rounds(
    connection: &mut Connection,
    server: &ServerName,
    (hour, rounds): (Timestamp, u64),
    cutoff: Timestamp,
) -> Result<(), StoreError> {
    let text = "insert into refused_rounds (server, hour, rounds) values ($1, $2, $3)
         on conflict (server, hour) do update
         set rounds = refused_rounds.rounds + excluded.rounds";
    execute(connection, bound(text, (server, hour, rounds))).await?;
    let text = "delete from refused_rounds where hour < $1";
    execute(connection, bound(text, (cutoff,))).await
}

pub(crate) fn name(row: &Row) -> Result<ServerName, StoreError> {
    Fields::of(row, "servers").parsed("server")
}

pub(crate) fn refusal(row: &Row) -> Result<RefusalRecord, StoreError> {
    let row = Fields::of(row, "refusals");
    Ok(RefusalRecord {
        id: row.get("id")?,
        last_at: row.time("last_at")?,
        content: row.get("content")?,
    })
}

/// Reads a server, the beginning of an hour, and the number of rounds refused in that hour.
pub(crate) fn refused_rounds(row: &Row) -> Result<(ServerName, Timestamp, u64), StoreError> {
    let row = Fields::of(row, "refused_rounds");
    let rounds = row.number("rounds")?;
    Ok((row.parsed("server")?, row.time("hour")?, rounds))
}

/// Stores a past table of splits of a server, and deletes the server's oldest ones beyond `KEPT_SPLIT_TABLES`.
pub(crate) async fn keep_split_table(
    connection: &mut Connection,
    server: &ServerName,
    computed_at: Timestamp,
    content: &str,
) -> Result<(), StoreError> {
    let text = "insert into past_split_tables (server, computed_at, content) values ($1, $2, $3)
         on conflict (server, computed_at) do update set content = excluded.content";
    execute(connection, bound(text, (server, computed_at, content))).await?;
    let text = "delete from past_split_tables where server = $1 and computed_at <= (
             select computed_at from past_split_tables where server = $1
             order by computed_at desc limit 1 offset $2)";
    execute(connection, bound(text, (server, KEPT_SPLIT_TABLES))).await
}

pub(crate) fn split_table(row: &Row) -> Result<String, StoreError> {
    Fields::of(row, "split_tables").get("content")
}

pub(crate) async fn delete_replaced_notices(
    connection: &mut Connection,
    by: &NoticeRecord,
) -> Result<(), StoreError> {
    let text = "delete from notices
         where (server = $1 and kind = $2 and coalesce(player_id, 0) = $3) or expires_at <= $4";
    let values = (
        &by.server,
        by.kind.to_string(),
        by.player.map_or(0, PlayerId::steam_id64),
        by.made_at,
    );
    execute(connection, bound(text, values)).await
}

pub(crate) async fn insert_notice(
    connection: &mut Connection,
    notice: &NoticeRecord,
) -> Result<(), StoreError> {
    let text =
        "insert into notices (server, name, kind, player_id, rating, message, made_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values = (
        &notice.server,
        &notice.name,
        notice.kind.to_string(),
        notice.player,
        notice.rating,
        &notice.message,
        notice.made_at,
        notice.expires_at,
    );
    execute(connection, bound(text, values)).await
}

pub(crate) fn notice(row: &Row) -> Result<NoticeRecord, StoreError> {
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
