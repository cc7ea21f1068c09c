//! Writes of a batch of rated rounds, of player names, and of season standings, each in one SQL text.

use serde_json::json;

use super::Connection;
use super::batches::{
    bind_chunks, bind_groups, bind_players, bind_results, bind_rounds, rows_text,
};
use super::sql::{bound, execute, pools};
use crate::domain::{PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameSource, PoolId, RatedBatch, SeasonStanding, StoreError};

/// Writes a batch of rated rounds in one SQL text. SQLite runs in a thread of the driver. Each text that is sent there
/// costs as much waiting between the two threads as a small statement takes.
pub(crate) async fn save_batch(
    connection: &mut Connection,
    batch: &RatedBatch<'_>,
) -> Result<(), StoreError> {
    let text = concat!(
        insert_rounds!("$18"),
        "; ",
        insert_scoreboards!("$19", "$20"),
        "; ",
        insert_results!("$9", "$21", "$22"),
        "; ",
        save_chunks!("$23", "$24"),
        "; ",
        add_to_groups!("$25"),
        "; ",
        save_players!("null", "$26", "$27"),
        "; ",
        update_pool!()
    );
    let query = pools::bind(text, batch.pool)?;
    let query = bind_rounds(query, batch.rounds)?;
    let query = bind_results(query, batch.results)?;
    let query = bind_chunks(query, batch.chunks);
    let query = bind_groups(query, batch.groups);
    execute(connection, bind_players(query, batch.players)?).await
}

pub(crate) async fn save_names(
    connection: &mut Connection,
    names: &[(PlayerId, PlayerDisplayName, Timestamp)],
    from: NameSource,
) -> Result<(), StoreError> {
    let rows = rows_text(names, |(player, name, at)| {
        json!([player.steam_id64(), name, at.unix_micros(), name.folded()])
    });
    let text = concat!(
        insert_into!(player_names),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, $2, $3, $4 from json_each($1) where true",
        on_conflict!(player_names)
    );
    let stranger_since = from.are_strangers.then_some(from.received_at);
    let query = bound(text, (rows, from.secret, from.received_at, stranger_since));
    execute(connection, query).await
}

pub(crate) async fn save_standings(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    standings: &[SeasonStanding],
) -> Result<(), StoreError> {
    let rows = rows_text(standings, |one| {
        json!([
            one.player.steam_id64(),
            one.rank,
            one.rating,
            one.rounds,
            one.season_rounds,
            one.entries
        ])
    });
    let text = concat!(
        insert_into!(season_standings),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
         from json_each($3)"
    );
    let query = bound(text, (pool, position, rows));
    execute(connection, query).await
}
