//! Names that have changed.

use super::Connection;
use super::sql::execute;
use crate::domain::{PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameSource, StoreError};

pub(crate) async fn save_names(
    connection: &mut Connection,
    names: &[(PlayerId, PlayerDisplayName, Timestamp)],
    from: NameSource,
) -> Result<(), StoreError> {
    let players: Vec<i64> = names
        .iter()
        .map(|(player, ..)| player.steam_id64().cast_signed())
        .collect();
    let texts: Vec<&str> = names.iter().map(|(_, name, _)| name.as_str()).collect();
    let times: Vec<i64> = names.iter().map(|(.., at)| at.unix_micros()).collect();
    let folded: Vec<String> = names.iter().map(|(_, name, _)| name.folded()).collect();
    let query = sqlx::query(concat!(
        insert_into!(player_names),
        "*, $5, $6, $7 from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])",
        on_conflict!(player_names)
    ))
    .bind(players)
    .bind(texts)
    .bind(times)
    .bind(folded)
    .bind(from.secret.map(|secret| secret.to_string()))
    .bind(from.received_at.unix_micros())
    .bind(from.are_strangers.then(|| from.received_at.unix_micros()));
    execute(connection, query).await
}
