//! A batch of rounds and what it makes of its pool. A statement costs SQLite no way to a server, so each table has its own.

use super::Connection;
use super::queries::{add_to_groups, insert_results, insert_rounds, save_chunks, save_players};
use super::sql::pools;
use crate::store::{RatedBatch, StoreError};

pub(crate) async fn save_batch(
    connection: &mut Connection,
    batch: &RatedBatch<'_>,
) -> Result<(), StoreError> {
    let pool = batch.pool.id;
    let generation = batch.pool.generation.ok_or(StoreError::NotComputed)?;
    insert_rounds(connection, pool, batch.rounds).await?;
    insert_results(connection, pool, generation, batch.results).await?;
    save_chunks(connection, pool, batch.chunks).await?;
    add_to_groups(connection, pool, batch.groups).await?;
    save_players(connection, pool, None, batch.players).await?;
    pools::save(connection, batch.pool).await
}
