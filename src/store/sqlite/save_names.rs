//! Names that have changed.

use serde_json::{Value, json};

use super::Connection;
use super::sql::execute;
use crate::domain::{PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameSource, StoreError};

pub(crate) async fn save_names(
    connection: &mut Connection,
    names: &[(PlayerId, PlayerDisplayName, Timestamp)],
    from: NameSource,
) -> Result<(), StoreError> {
    let rows: Value = names
        .iter()
        .map(|(player, name, at)| {
            json!([player.steam_id64(), name, at.unix_micros(), name.folded()])
        })
        .collect();
    let query = sqlx::query(concat!(
        insert_into!(player_names),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, $2, $3, $4 from json_each($1) where true",
        on_conflict!(player_names)
    ))
    .bind(rows.to_string())
    .bind(from.secret.map(|secret| secret.to_string()))
    .bind(from.received_at.unix_micros())
    .bind(from.are_strangers.then(|| from.received_at.unix_micros()));
    execute(connection, query).await
}
