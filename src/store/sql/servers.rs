//! Queries for game servers: their last `POST /v1/hello`, and their last rounds.

use super::{Connection, Fields, Row, execute, read_all};
use crate::domain::{ServerName, Timestamp};
use crate::store::{Greeting, PoolId, StoreError};

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
