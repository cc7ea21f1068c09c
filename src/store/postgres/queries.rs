//! SQL queries that only PostgreSQL understands. Many rows are bound as arrays (`unnest`), in one statement for all.

use std::collections::BTreeMap;

use super::Connection;
use super::sql::parameters::Parameter;
use super::sql::rounds::entries;
use super::sql::{
    Query, changes, execute, json_text, pools, prunes, read_all, rounds, state_bytes,
};
use crate::domain::{PlayerId, RoundId, ServerName};
use crate::rating::{GroupTotals, PlayerState, RoundGroup, RoundResult};
use crate::store::{
    Change, EntryChunk, Generation, LastRow, LoggedRound, PoolId, PoolRecord, PrunedRound,
    RecordedRound, RoundTraces, StoreError, StoredChunk, content, corrupt, scoreboard_content,
};

pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    let row = sqlx::query(select!(pools, "from pools where id = $1 for update"))
        .bind(pool.0)
        .fetch_optional(connection)
        .await?;
    pools::record(&row.ok_or_else(|| corrupt("pools", "id"))?)
}

/// Collects one column of `rows` into an array for `unnest`. The function `value` returns the column of a row.
pub(super) fn column<'rows, T, V: Parameter<'rows>>(
    rows: &'rows [T],
    value: impl Fn(&'rows T) -> V,
) -> Vec<V::Column> {
    let values = rows.iter().map(|row| value(row).column());
    values.collect()
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    saved: &[(&PlayerState, LastRow<'_>)],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(players),
        "coalesce($2::bigint, ",
        players_generation!(),
        "), * from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                       $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
                       $12::bytea[], $13::bytea[])",
        on_conflict!(players)
    ))
    .bind(pool.0)
    .bind(generation.map(|generation| generation.0));
    execute(connection, bind_players(query, saved)?).await
}

pub(super) fn bind_players<'query>(
    query: Query<'query>,
    saved: &'query [(&PlayerState, LastRow<'_>)],
) -> Result<Query<'query>, StoreError> {
    let last: Vec<Option<Vec<u8>>> = saved
        .iter()
        .map(|(_, last)| last.map(EntryChunk::packed).transpose())
        .collect::<Result<_, _>>()?;
    let saved: Vec<&PlayerState> = saved.iter().map(|(player, _)| *player).collect();
    Ok(query
        .bind(column(&saved, |player| player.id))
        .bind(column(&saved, |player| player.rating))
        .bind(column(&saved, |player| player.rounds))
        .bind(column(&saved, |player| player.entries))
        .bind(column(&saved, |player| player.last_played))
        .bind(column(&saved, |player| player.totals.rating))
        .bind(column(&saved, |player| player.totals.rating_squared))
        .bind(column(&saved, |player| player.totals.expected))
        .bind(column(&saved, |player| player.totals.score_halves))
        .bind(column(&saved, |player| state_bytes(&player.model_state)))
        .bind(last))
}

pub(crate) async fn find_chunks(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<EntryChunk>, StoreError> {
    let query = sqlx::query(select!(
        entries,
        "from unnest($2::bigint[], $3::bigint[]) as wanted (player_id, chunk)",
        join_one!(
            entries,
            "entries.pool_id = $1 and entries.player_id = wanted.player_id
             and entries.chunk = wanted.chunk and entries.generation <= coalesce($4,",
            active_generation!(),
            // One descent of the index, without a second one for the highest generation.
            ") order by entries.generation desc"
        )
    ))
    .bind(pool.0)
    .bind(column(wanted, |(player, _)| *player))
    .bind(column(wanted, |(_, chunk)| *chunk))
    .bind(generation.map(|generation| generation.0));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn save_chunks(
    connection: &mut Connection,
    pool: PoolId,
    saved: &[StoredChunk],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(entries),
        "* from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                       $7::bigint[], $8::bytea[])",
        on_conflict!(entries)
    ))
    .bind(pool.0);
    execute(connection, bind_chunks(query, saved)).await
}

pub(super) fn bind_chunks<'query>(
    query: Query<'query>,
    saved: &'query [StoredChunk],
) -> Query<'query> {
    query
        .bind(column(saved, |chunk| chunk.player))
        .bind(column(saved, |chunk| chunk.chunk))
        .bind(column(saved, |chunk| chunk.generation))
        .bind(column(saved, |chunk| chunk.first_position))
        .bind(column(saved, |chunk| chunk.ended_from))
        .bind(column(saved, |chunk| chunk.latest))
        .bind(column(saved, |chunk| chunk.content.as_slice()))
}

pub(crate) async fn lock_pool_and_look_up(
    connection: &mut Connection,
    pool: PoolId,
    names: &[(ServerName, RoundId)],
) -> Result<(PoolRecord, Vec<RoundTraces>), StoreError> {
    let record = lock_pool(connection, pool).await?;
    // If the planner sees the length of a list, it replans the query for every round, which takes longer than the
    // look-up. A sub-query hides the length.
    let query = sqlx::query(look_up_rounds!(
        " from unnest((select $1::text[]), (select $2::text[])) as wanted (server, round_id)"
    ))
    .bind(column(names, |(server, _)| server))
    .bind(column(names, |(_, round_id)| round_id));
    Ok((record, read_all(connection, query, rounds::traces).await?))
}

pub(crate) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        "from unnest($1::text[], $2::text[]) as wanted (server, round_id)",
        join_one!(
            rounds,
            "rounds.server = wanted.server and rounds.round_id = wanted.round_id"
        ),
        join_one!(
            results,
            "results.pool_id = rounds.pool_id and results.position = rounds.position and",
            is_current!(
                results,
                "(select generation from pools where id = rounds.pool_id)"
            )
        )
    ))
    .bind(column(names, |(server, _)| server))
    .bind(column(names, |(_, round_id)| round_id));
    read_all(connection, query, rounds::recorded).await
}

pub(crate) async fn find_pruned_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<PrunedRound>, StoreError> {
    let query = sqlx::query(concat!(
        "select pruned_rounds.server, pruned_rounds.round_id, pools.name, prunes.pruned_at, prunes.file
         from unnest($1::text[], $2::text[]) as wanted (server, round_id)",
        join_one!(
            pruned_rounds,
            "pruned_rounds.server = wanted.server and pruned_rounds.round_id = wanted.round_id"
        ),
        join_one!(pools, "pools.id = pruned_rounds.pool_id"),
        join_one!(prunes, prune_of_round!())
    ))
    .bind(column(names, |(server, _)| server))
    .bind(column(names, |(_, round_id)| round_id));
    read_all(connection, query, prunes::pruned_round).await
}

pub(crate) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        "with new_scoreboards as (",
        insert_into!(scoreboards),
        "* from unnest($12::bigint[], $13::bytea[])) ",
        insert_into!(rounds),
        "* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                       $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::text[])"
    ))
    .bind(pool.0);
    execute(connection, bind_rounds(query, inserted)?).await
}

pub(super) fn bind_rounds<'query>(
    query: Query<'query>,
    inserted: &'query [&LoggedRound],
) -> Result<Query<'query>, StoreError> {
    let mut reports = Vec::with_capacity(inserted.len());
    let (mut positions, mut scoreboards) = (Vec::new(), Vec::new());
    for logged in inserted {
        let report = logged.report();
        let (parts, scoreboard) = report.parts().without_scoreboard();
        reports.push(json_text(&parts)?);
        if let Some(scoreboard) = scoreboard {
            positions.push(logged.position.cast_signed());
            scoreboards.push(scoreboard_content::of_scoreboard(&scoreboard)?);
        }
    }
    let named = |round: &&'query LoggedRound| round.round.parts();
    Ok(query
        .bind(column(inserted, |round| round.position))
        .bind(column(inserted, |round| &named(round).server))
        .bind(column(inserted, |round| &named(round).round_id))
        .bind(column(inserted, |round| round.round.ended_at()))
        .bind(column(inserted, |round| round.received_at))
        .bind(reports)
        .bind(column(inserted, |round| round.settings))
        .bind(column(inserted, |round| round.voided_at))
        .bind(column(inserted, |round| round.marks().winner))
        .bind(column(inserted, |round| round.secret))
        .bind(positions)
        .bind(scoreboards))
}

pub(crate) async fn insert_changes(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[Change],
) -> Result<(), StoreError> {
    let columns: Vec<_> = inserted
        .iter()
        .map(|change| changes::Columns::of(&change.changed))
        .collect();
    let query = sqlx::query(concat!(
        insert_into!(changes),
        "* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
                       $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::text[],
                       $13::bigint[], $14::bigint[])"
    ))
    .bind(pool.0)
    .bind(column(inserted, |change| change.position))
    .bind(column(inserted, |change| &change.change_id))
    .bind(column(&columns, |columns| columns.kind))
    .bind(column(&columns, |columns| columns.player))
    .bind(column(&columns, |columns| columns.rating))
    .bind(column(&columns, |columns| columns.round))
    .bind(column(&columns, |columns| columns.winner))
    .bind(column(inserted, |change| change.reason.as_deref()))
    .bind(column(inserted, |change| change.made_at))
    .bind(column(inserted, |change| change.settings))
    .bind(column(&columns, |columns| columns.name))
    .bind(column(&columns, |columns| columns.kept))
    .bind(column(&columns, |columns| columns.calibration));
    execute(connection, query).await
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(results, "$2"),
        "* from unnest($3::bigint[], $4::bigint[], $5::bytea[])"
    ))
    .bind(pool.0)
    .bind(generation.0);
    execute(connection, bind_results(query, inserted)?).await
}

pub(super) fn bind_results<'query>(
    query: Query<'query>,
    inserted: &'query [&RoundResult],
) -> Result<Query<'query>, StoreError> {
    let contents: Vec<Vec<u8>> = inserted
        .iter()
        .map(|result| content::of_result(result))
        .collect::<Result<_, _>>()?;
    Ok(query
        .bind(column(inserted, |result| result.position))
        .bind(column(inserted, |result| result.predictions.rounds))
        .bind(contents))
}

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    pool: PoolId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(round_groups),
        "* from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                       $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])",
        on_conflict!(round_groups)
    ))
    .bind(pool.0);
    execute(connection, bind_groups(query, added)).await
}

pub(super) fn bind_groups<'query>(
    query: Query<'query>,
    added: &'query BTreeMap<RoundGroup, GroupTotals>,
) -> Query<'query> {
    let (groups, totals): (Vec<&RoundGroup>, Vec<&GroupTotals>) = added.iter().unzip();
    query
        .bind(column(&groups, |group| group.kind.name()))
        .bind(column(&groups, |group| &group.name))
        .bind(column(&totals, |sums| sums.rounds))
        .bind(column(&totals, |sums| sums.draws))
        .bind(column(&totals, |sums| sums.right_halves))
        .bind(column(&totals, |sums| sums.score_halves))
        .bind(column(&totals, |sums| sums.predicted))
        .bind(column(&totals, |sums| sums.brier))
        .bind(column(&totals, |sums| sums.log_loss))
        .bind(column(&totals, |sums| sums.lead))
}
