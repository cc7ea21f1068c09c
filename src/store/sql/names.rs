//! Queries of the table `player_names`.

use super::{Connection, Fields, Row, bound, execute, read_all, read_value};
use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameRecord, StoreError};

pub(crate) const FIND: &str = select!(
    player_names,
    "from player_names where player_id",
    is_wanted!("$1")
);

pub(crate) async fn search(
    connection: &mut Connection,
    folded: &str,
    limit: u32,
) -> Result<Vec<PlayerId>, StoreError> {
    let text = "select player_id from player_names
         where folded_name like $1 escape '\\' or folded_alias like $1 escape '\\'
         order by case when folded_name like $2 escape '\\' or folded_alias like $2 escape '\\'
                       then 0 else 1 end,
                  coalesce(folded_alias, folded_name), player_id
         limit $3";
    let values = (
        format!("%{}%", escaped(folded)),
        format!("{}%", escaped(folded)),
        limit,
    );
    let player = |row: &Row| Fields::of(row, "player_names").player("player_id");
    read_all(connection, bound(text, values), player).await
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
    let text = "insert into player_names (player_id, named_at, alias, folded_alias) values ($1, $2, $3, $4)
         on conflict (player_id) do update set
             alias = excluded.alias, folded_alias = excluded.folded_alias";
    let values = (
        player,
        at,
        alias.map(PlayerDisplayName::as_str),
        alias.map(PlayerDisplayName::folded),
    );
    execute(connection, bound(text, values)).await
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
    let text = concat!("select count(*) from player_names", is_of_secret!());
    let values = (
        secret,
        from.map_or(i64::MIN, Timestamp::unix_micros),
        to.map_or(i64::MAX, Timestamp::unix_micros),
    );
    let count: Option<i64> = read_value(connection, bound(text, values)).await?;
    Ok(count.unwrap_or_default().cast_unsigned())
}

pub(crate) async fn delete_of_secret(
    connection: &mut Connection,
    secret: Fingerprint,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Result<(), StoreError> {
    let text = concat!(
        "update player_names set name = null, folded_name = null",
        is_of_secret!()
    );
    let values = (
        secret,
        from.map_or(i64::MIN, Timestamp::unix_micros),
        to.map_or(i64::MAX, Timestamp::unix_micros),
    );
    execute(connection, bound(text, values)).await
}

pub(crate) fn record(row: &Row) -> Result<NameRecord, StoreError> {
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
