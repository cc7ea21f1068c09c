//! A batch of rounds and what it makes of its pool, in one statement.

use super::Connection;
use super::queries::{bind_chunks, bind_groups, bind_players, bind_results, bind_rounds};
use super::sql::{execute, pools};
use crate::store::{RatedBatch, StoreError};

/// A statement for each table would be shorter, and each would cost a round a way to the server and back: together
/// as long as everything that the server does for the round.
pub(crate) async fn save_batch(
    connection: &mut Connection,
    batch: &RatedBatch<'_>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        "with new_results as (",
        insert_into!(results, "$9"),
        "* from unnest($18::bigint[], $19::bigint[], $20::bytea[])
         ), new_groups as (",
        insert_into!(round_groups),
        "* from unnest($21::text[], $22::text[], $23::bigint[], $24::bigint[], $25::bigint[],
                       $26::bigint[], $27::bigint[], $28::bigint[], $29::bigint[], $30::bigint[])",
        on_conflict!(round_groups),
        "), new_players as (",
        insert_into!(players),
        players_generation!(),
        ", * from unnest($31::bigint[], $32::bigint[], $33::bigint[], $34::bigint[], $35::bigint[],
                       $36::bigint[], $37::bigint[], $38::bigint[], $39::bigint[],
                       $40::bytea[], $41::bytea[])",
        on_conflict!(players),
        "), new_entries as (",
        insert_into!(entries),
        "* from unnest($42::bigint[], $43::bigint[], $44::bigint[], $45::bigint[], $46::bigint[],
                       $47::bigint[], $48::bytea[])",
        on_conflict!(entries),
        "), new_rounds as (",
        insert_into!(rounds),
        "* from unnest($49::bigint[], $50::text[], $51::text[], $52::bigint[], $53::bigint[],
                       $54::text[], $55::bigint[], $56::bigint[], $57::text[], $58::text[])
         ), new_scoreboards as (",
        insert_into!(scoreboards),
        "* from unnest($59::bigint[], $60::bytea[])) ",
        update_pool!()
    ));
    let query = pools::bind(query, batch.pool)?;
    let query = bind_results(query, batch.results)?;
    let query = bind_groups(query, batch.groups);
    let query = bind_players(query, batch.players)?;
    let query = bind_chunks(query, batch.chunks);
    execute(connection, bind_rounds(query, batch.rounds)?).await
}
