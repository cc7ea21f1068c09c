//! Queries for game servers: their greetings, last rounds and refusals.

use super::{Connection, Fields, Row, execute, read_all};
use crate::domain::{ServerName, Timestamp};
use crate::store::{Greeting, PoolId, RefusalRecord, StoreError};

/// Maximum number of game servers to forget in one transaction, which blocks other writers.
const FORGOTTEN_AT_ONCE: i64 = 100;

pub(crate) async fn save_greeting(
    connection: &mut Connection,
    greeting: &Greeting,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into servers (server, plugin, secret, hello_at) values ($1, $2, $3, $4)
         on conflict (server) do update set
             plugin = excluded.plugin, secret = excluded.secret, hello_at = excluded.hello_at
         where servers.hello_at <= excluded.hello_at",
    )
    .bind(greeting.server.as_str())
    .bind(greeting.plugin.map(|version| version.to_string()))
    .bind(greeting.secret.to_string())
    .bind(greeting.at.unix_micros());
    execute(connection, query).await
}

pub(crate) async fn greetings(connection: &mut Connection) -> Result<Vec<Greeting>, StoreError> {
    let query = sqlx::query("select server, plugin, secret, hello_at from servers");
    let mut greetings = read_all(connection, query, greeting).await?;
    // Sorted here, because PostgreSQL sorts text by the locale of the server.
    greetings.sort_unstable_by(|one, other| one.server.cmp(&other.server));
    Ok(greetings)
}

pub(crate) async fn old(
    connection: &mut Connection,
    cutoff: Timestamp,
    most: u32,
) -> Result<Vec<ServerName>, StoreError> {
    let query = sqlx::query(
        "select server from (
             select server, heard_at, row_number() over (order by heard_at desc) as place from (
                 select server, max(heard_at) as heard_at from (
                     select server, hello_at as heard_at from servers
                     union all
                     select server, computed_at as heard_at from split_tables) as signs
                 group by server) as heard) as placed
         where heard_at < $1 or place > $2
         order by heard_at desc limit $3",
    )
    .bind(cutoff.unix_micros())
    .bind(i64::from(most))
    .bind(FORGOTTEN_AT_ONCE);
    read_all(connection, query, |row| {
        Fields::of(row, "servers").parsed("server")
    })
    .await
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
        execute(connection, sqlx::query(query).bind(server.as_str())).await?;
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

pub(crate) async fn last_rounds(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<(ServerName, Timestamp)>, StoreError> {
    // Goes from each name to the next by the index, because servers are few and rounds are many.
    let query = sqlx::query(
        "with recursive named (server) as (
             select min(server) from rounds where pool_id = $1
             union all
             select (select min(rounds.server) from rounds
                     where rounds.pool_id = $1 and rounds.server > named.server)
             from named where named.server is not null
         )
         select named.server as server,
                (select max(rounds.ended_at) from rounds
                 where rounds.pool_id = $1 and rounds.server = named.server) as ended_at
         from named where named.server is not null",
    )
    .bind(pool.0);
    read_all(connection, query, |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.parsed("server")?, row.time("ended_at")?))
    })
    .await
}

/// Stores a group of refusals, and deletes the oldest ones beyond `most`.
pub(crate) async fn save_refusal(
    connection: &mut Connection,
    refusal: &RefusalRecord,
    most: u32,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into refusals (id, last_at, content) values ($1, $2, $3)
         on conflict (id) do update set last_at = excluded.last_at, content = excluded.content",
    )
    .bind(&refusal.id)
    .bind(refusal.last_at.unix_micros())
    .bind(&refusal.content);
    execute(connection, query).await?;
    let query = sqlx::query(
        "delete from refusals where id in (
             select id from refusals order by last_at desc, id limit 1000 offset $1)",
    )
    .bind(i64::from(most));
    execute(connection, query).await
}

/// Returns the groups of refusals, the latest first.
pub(crate) async fn refusals(
    connection: &mut Connection,
) -> Result<Vec<RefusalRecord>, StoreError> {
    let query = sqlx::query("select id, last_at, content from refusals order by last_at desc, id");
    read_all(connection, query, |row| {
        let row = Fields::of(row, "refusals");
        Ok(RefusalRecord {
            id: row.get("id")?,
            last_at: row.time("last_at")?,
            content: row.get("content")?,
        })
    })
    .await
}

/// Adds refused rounds of a server in the hour that began at `hour`, and deletes the numbers of hours before `cutoff`.
pub(crate) async fn add_refused_rounds(
    connection: &mut Connection,
    server: &ServerName,
    (hour, rounds): (Timestamp, u64),
    cutoff: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into refused_rounds (server, hour, rounds) values ($1, $2, $3)
         on conflict (server, hour) do update
         set rounds = refused_rounds.rounds + excluded.rounds",
    )
    .bind(server.as_str())
    .bind(hour.unix_micros())
    .bind(rounds.cast_signed());
    execute(connection, query).await?;
    let query = sqlx::query("delete from refused_rounds where hour < $1");
    execute(connection, query.bind(cutoff.unix_micros())).await
}

/// Returns the numbers of refused rounds by server and hour, from the hour `from` on, oldest first.
pub(crate) async fn refused_rounds(
    connection: &mut Connection,
    from: Timestamp,
) -> Result<Vec<(ServerName, Timestamp, u64)>, StoreError> {
    let query = sqlx::query(
        "select server, hour, rounds from refused_rounds where hour >= $1 order by hour, server",
    );
    read_all(connection, query.bind(from.unix_micros()), |row| {
        let row = Fields::of(row, "refused_rounds");
        Ok((
            row.parsed("server")?,
            row.time("hour")?,
            row.number("rounds")?,
        ))
    })
    .await
}
