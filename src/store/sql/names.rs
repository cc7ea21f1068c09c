//! Queries of the table `player_names`.

use super::{Connection, Fields, Row, execute, numbers, read_all};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameRecord, StoreError};

pub(crate) async fn find(
    connection: &mut Connection,
    players: &[PlayerId],
) -> Result<Vec<NameRecord>, StoreError> {
    let query = sqlx::query(select!(
        player_names,
        "from player_names where player_id",
        is_wanted!("$1")
    ))
    .bind(numbers(players.iter().map(|id| id.steam_id64())));
    read_all(connection, query, record).await
}

pub(crate) async fn search(
    connection: &mut Connection,
    folded: &str,
    limit: u32,
) -> Result<Vec<PlayerId>, StoreError> {
    let query = sqlx::query(
        "select player_id from player_names
         where folded_name like $1 escape '\\' or folded_alias like $1 escape '\\'
         order by case when folded_name like $2 escape '\\' or folded_alias like $2 escape '\\'
                       then 0 else 1 end,
                  coalesce(folded_alias, folded_name), player_id
         limit $3",
    )
    .bind(format!("%{}%", escaped(folded)))
    .bind(format!("{}%", escaped(folded)))
    .bind(i64::from(limit));
    let player = |row: &Row| Fields::of(row, "player_names").player("player_id");
    read_all(connection, query, player).await
}

/// Escapes `text` for SQL's `like`, so that it matches only itself.
pub(crate) fn escaped(text: &str) -> String {
    let special = |one: char| matches!(one, '%' | '_' | '\\');
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

pub(crate) async fn set_alias(
    connection: &mut Connection,
    player: PlayerId,
    alias: Option<&PlayerDisplayName>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into player_names (player_id, named_at, alias, folded_alias) values ($1, $2, $3, $4)
         on conflict (player_id) do update set
             alias = excluded.alias, folded_alias = excluded.folded_alias",
    )
    .bind(player.steam_id64().cast_signed())
    .bind(at.unix_micros())
    .bind(alias.map(PlayerDisplayName::as_str))
    .bind(alias.map(PlayerDisplayName::folded));
    execute(connection, query).await
}

pub(crate) async fn forget(
    connection: &mut Connection,
    player: PlayerId,
    hides_id: bool,
    at: Timestamp,
) -> Result<(), StoreError> {
    /// SQL expression for the player's pseudonym, or else the next free number.
    macro_rules! pseudonym {
        () => {
            "case when $3 then coalesce(
                 (select pseudonym from player_names where player_id = $1),
                 (select coalesce(max(pseudonym), 0) + 1 from player_names)) end"
        };
    }
    let query = sqlx::query(concat!(
        "insert into player_names (player_id, named_at, forgotten_at, pseudonym)
         select $1, $2, $2, ",
        pseudonym!(),
        " where true
         on conflict (player_id) do update set
             name = null, folded_name = null, alias = null, folded_alias = null,
             named_at = excluded.named_at, forgotten_at = excluded.forgotten_at,
             pseudonym = excluded.pseudonym"
    ))
    .bind(player.steam_id64().cast_signed())
    .bind(at.unix_micros())
    .bind(hides_id);
    execute(connection, query).await
}

pub(crate) async fn remember(
    connection: &mut Connection,
    player: PlayerId,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "update player_names set forgotten_at = null, pseudonym = null where player_id = $1",
    );
    execute(connection, query.bind(player.steam_id64().cast_signed())).await
}

/// SQL condition that a player's name was sent with the secret `$1`, at or after `$2` and before `$3`.
macro_rules! is_of_secret {
    () => {
        " where name is not null and secret = $1 and received_at >= $2 and received_at < $3"
    };
}

pub(crate) async fn count_of_secret(
    connection: &mut Connection,
    secret: Fingerprint,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<u64, StoreError> {
    let query = sqlx::query_scalar(concat!(
        "select count(*) from player_names",
        is_of_secret!()
    ));
    let query = query
        .bind(secret.to_string())
        .bind(from.map_or(i64::MIN, Timestamp::unix_micros))
        .bind(to.map_or(i64::MAX, Timestamp::unix_micros));
    let count: i64 = query.fetch_one(connection).await?;
    Ok(count.cast_unsigned())
}

pub(crate) async fn delete_of_secret(
    connection: &mut Connection,
    secret: Fingerprint,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        "update player_names set name = null, folded_name = null",
        is_of_secret!()
    ))
    .bind(secret.to_string())
    .bind(from.map_or(i64::MIN, Timestamp::unix_micros))
    .bind(to.map_or(i64::MAX, Timestamp::unix_micros));
    execute(connection, query).await
}

pub(crate) async fn delete_old_strangers(
    connection: &mut Connection,
    cutoff: Timestamp,
    most: u32,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "delete from player_names
         where alias is null and forgotten_at is null and stranger_since is not null
               and (stranger_since < $1 or stranger_since < (
                   select stranger_since from player_names where stranger_since is not null
                   order by stranger_since desc limit 1 offset $2))",
    )
    .bind(cutoff.unix_micros())
    .bind(i64::from(most));
    execute(connection, query).await
}

fn record(row: &Row) -> Result<NameRecord, StoreError> {
    let row = Fields::of(row, "player_names");
    Ok(NameRecord {
        player: row.player("player_id")?,
        name: row.optional("name", display_name)?,
        named_at: row.time("named_at")?,
        alias: row.optional("alias", display_name)?,
        forgotten_at: row.optional("forgotten_at", Fields::time)?,
        pseudonym: row.optional("pseudonym", Fields::number)?,
        is_stranger: row.optional("stranger_since", Fields::time)?.is_some(),
    })
}

fn display_name(row: Fields<'_>, column: &'static str) -> Result<PlayerDisplayName, StoreError> {
    let name = PlayerDisplayName::clean(row.get(column)?);
    name.ok_or_else(|| row.corrupt(column))
}
