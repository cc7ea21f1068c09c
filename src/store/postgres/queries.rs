//! SQL queries that only PostgreSQL understands. Many rows are bound as arrays (`unnest`), in one statement for all.

use std::collections::BTreeMap;

use super::Connection;
use super::sql::rounds::entries;
use super::sql::{
    Query, changes, execute, json_text, pools, prunes, read_all, rounds, state_bytes,
};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
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
fn column<'rows, T, V>(rows: &'rows [T], value: impl Fn(&'rows T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}

/// Returns a player's id as the signed integer that the database columns contain.
fn key(player: PlayerId) -> i64 {
    player.steam_id64().cast_signed()
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
    let last = saved
        .iter()
        .map(|(_, last)| last.map(EntryChunk::packed).transpose());
    let last: Vec<Option<Vec<u8>>> = last.collect::<Result<_, _>>()?;
    let saved = column(saved, |(player, _)| *player);
    Ok(query
        .bind(column(&saved, |player| key(player.id)))
        .bind(column(&saved, |player| i64::from(player.rating.points())))
        .bind(column(&saved, |player| i64::from(player.rounds)))
        .bind(column(&saved, |player| player.entries.cast_signed()))
        .bind(column(&saved, |player| {
            player.last_played.map(Timestamp::unix_micros)
        }))
        .bind(column(&saved, |player| player.totals.rating))
        .bind(column(&saved, |player| player.totals.rating_squared))
        .bind(column(&saved, |player| player.totals.expected))
        .bind(column(&saved, |player| player.totals.score_halves))
        .bind(column(&saved, |player| {
            state_bytes(&player.model_state).map(<[u8]>::to_vec)
        }))
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
    .bind(column(wanted, |(player, _)| key(*player)))
    .bind(column(wanted, |(_, chunk)| chunk.cast_signed()))
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
        .bind(column(saved, |chunk| key(chunk.player)))
        .bind(column(saved, |chunk| chunk.chunk.cast_signed()))
        .bind(column(saved, |chunk| chunk.generation.0))
        .bind(column(saved, |chunk| chunk.first_position))
        .bind(column(saved, |chunk| chunk.ended_from))
        .bind(column(saved, |chunk| chunk.latest.unix_micros()))
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
    .bind(column(names, |(server, _)| server.as_str()))
    .bind(column(names, |(_, round_id)| round_id.as_str()));
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
    .bind(column(names, |(server, _)| server.as_str()))
    .bind(column(names, |(_, round_id)| round_id.as_str()));
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
    .bind(column(names, |(server, _)| server.as_str()))
    .bind(column(names, |(_, round_id)| round_id.as_str()));
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
        .bind(column(inserted, |round| round.position.cast_signed()))
        .bind(column(inserted, |round| named(round).server.as_str()))
        .bind(column(inserted, |round| named(round).round_id.as_str()))
        .bind(column(inserted, |round| {
            round.round.ended_at().unix_micros()
        }))
        .bind(column(inserted, |round| round.received_at.unix_micros()))
        .bind(reports)
        .bind(column(inserted, |round| round.settings.0))
        .bind(column(inserted, |round| {
            round.voided_at.map(u64::cast_signed)
        }))
        .bind(column(inserted, |round| {
            round.marks().winner.map(|winner| winner.to_string())
        }))
        .bind(column(inserted, |round| {
            round.secret.map(|secret| secret.to_string())
        }))
        .bind(positions)
        .bind(scoreboards))
}

pub(crate) async fn insert_changes(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[Change],
) -> Result<(), StoreError> {
    let columns = column(inserted, |change| changes::Columns::of(&change.changed));
    let query = sqlx::query(concat!(
        insert_into!(changes),
        "* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[],
                       $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::text[],
                       $13::bigint[], $14::bigint[])"
    ))
    .bind(pool.0)
    .bind(column(inserted, |change| change.position.cast_signed()))
    .bind(column(inserted, |change| change.change_id.as_str()))
    .bind(column(&columns, |columns| columns.kind))
    .bind(column(&columns, |columns| columns.player))
    .bind(column(&columns, |columns| columns.rating))
    .bind(column(&columns, |columns| columns.round))
    .bind(column(&columns, |columns| {
        columns.winner.map(|winner| winner.to_string())
    }))
    .bind(column(inserted, |change| change.reason.as_deref()))
    .bind(column(inserted, |change| change.made_at.unix_micros()))
    .bind(column(inserted, |change| change.settings.0))
    .bind(column(&columns, |columns| {
        columns.season.map(|season| season.name.as_str())
    }))
    .bind(column(&columns, |columns| {
        columns.season.map(|season| i64::from(season.keep.thousandths()))
    }))
    .bind(column(&columns, |columns| {
        columns.season.map(|season| i64::from(season.calibration.get()))
    }));
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
    let contents = inserted.iter().map(|result| content::of_result(result));
    let contents: Vec<Vec<u8>> = contents.collect::<Result<_, _>>()?;
    Ok(query
        .bind(column(inserted, |result| result.position.cast_signed()))
        .bind(column(inserted, |result| {
            result.predictions.rounds.cast_signed()
        }))
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
        .bind(column(&groups, |group| group.name.as_str()))
        .bind(column(&totals, |sums| sums.rounds.cast_signed()))
        .bind(column(&totals, |sums| sums.draws.cast_signed()))
        .bind(column(&totals, |sums| sums.right_halves.cast_signed()))
        .bind(column(&totals, |sums| sums.score_halves.cast_signed()))
        .bind(column(&totals, |sums| sums.predicted.cast_signed()))
        .bind(column(&totals, |sums| sums.brier.cast_signed()))
        .bind(column(&totals, |sums| sums.log_loss.cast_signed()))
        .bind(column(&totals, |sums| sums.lead))
}
