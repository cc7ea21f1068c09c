//! Game servers: what they said of themselves, and when they last played.

use super::{Connection, Fields, Row, execute, read_all};
use crate::domain::{ServerName, Timestamp};
use crate::store::{Greeting, PoolId, StoreError};

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
    // Sorted here, because every PostgreSQL sorts text by a locale of its own.
    greetings.sort_unstable_by(|one, other| one.server.cmp(&other.server));
    Ok(greetings)
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
    // From each name to the next by the index, because there are few servers, and rounds by the million.
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
