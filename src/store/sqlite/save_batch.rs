//! A batch of rounds and what it makes of its pool, in one go.

use super::Connection;
use super::batches::{bind_chunks, bind_groups, bind_players, bind_results, bind_rounds};
use super::sql::{execute, pools};
use crate::store::{RatedBatch, StoreError};

/// SQLite runs in a thread of the driver's: for each text that is sent there two threads wait for one another, which takes as
/// long as a small statement.
pub(crate) async fn save_batch(
    connection: &mut Connection,
    batch: &RatedBatch<'_>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
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
    ));
    let query = pools::bind(query, batch.pool)?;
    let query = bind_rounds(query, batch.rounds)?;
    let query = bind_results(query, batch.results)?;
    let query = bind_chunks(query, batch.chunks);
    let query = bind_groups(query, batch.groups);
    execute(connection, bind_players(query, batch.players)?).await
}
