//! Writes of a batch of rated rounds, of player names, and of season standings, each in one statement.

use super::Connection;
use super::queries::{bind_chunks, bind_groups, bind_players, bind_results, bind_rounds, column};
use super::sql::{execute, pools};
use crate::domain::{PlayerDisplayName, PlayerId, Timestamp};
use crate::store::{NameSource, PoolId, RatedBatch, SeasonStanding, StoreError};

/// Writes a batch of rated rounds in one statement. A statement for each table would cost a round trip each, together
/// as long as the server's whole work for the round.
pub(crate) async fn save_batch(
    connection: &mut Connection,
    batch: &RatedBatch<'_>,
) -> Result<(), StoreError> {
    let text = concat!(
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
    );
    let query = pools::bind(text, batch.pool)?;
    let query = bind_results(query, batch.results)?;
    let query = bind_groups(query, batch.groups);
    let query = bind_players(query, batch.players)?;
    let query = bind_chunks(query, batch.chunks);
    execute(connection, bind_rounds(query, batch.rounds)?).await
}

pub(crate) async fn save_names(
    connection: &mut Connection,
    names: &[(PlayerId, PlayerDisplayName, Timestamp)],
    from: NameSource,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(player_names),
        "*, $5, $6, $7 from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])",
        on_conflict!(player_names)
    ))
    .bind(column(names, |(player, ..)| *player))
    .bind(column(names, |(_, name, _)| name))
    .bind(column(names, |(.., at)| *at))
    .bind(column(names, |(_, name, _)| name.folded()))
    .bind(from.secret.map(|secret| secret.to_string()))
    .bind(from.received_at.unix_micros())
    .bind(from.are_strangers.then(|| from.received_at.unix_micros()));
    execute(connection, query).await
}

pub(crate) async fn save_standings(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    standings: &[SeasonStanding],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(season_standings),
        "* from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(column(standings, |one| one.player))
    .bind(column(standings, |one| one.rank))
    .bind(column(standings, |one| one.rating))
    .bind(column(standings, |one| one.rounds))
    .bind(column(standings, |one| one.season_rounds))
    .bind(column(standings, |one| one.entries));
    execute(connection, query).await
}
