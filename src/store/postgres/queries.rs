//! The queries that SQLite would not understand. Whole batches travel as arrays (`unnest`), one
//! statement for all rows. What is looked up by such an array is looked up row by row, in a `lateral`
//! with a `limit`: a plain join may be planned as a scan of the whole pool, which is what PostgreSQL
//! does without statistics.

use super::Connection;
use super::sql::{entries, execute, json_text, players, pools, read_all, rounds};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::store::{
    LoggedRound, NewEntry, PlayerRecord, PoolId, PoolRecord, ProjectionId, RecordedRound,
    RoundResult, StoreError, corrupt,
};

pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    let row = sqlx::query(concat!(
        "select ",
        columns!(pools),
        " from pools where id = $1 for update"
    ))
    .bind(pool.0)
    .fetch_optional(connection)
    .await?;
    pools::record(&row.ok_or_else(|| corrupt("pools", "id"))?)
}

/// `value` of each of `rows`, for `unnest`.
pub(super) fn column<'rows, T, V>(rows: &'rows [T], value: impl Fn(&'rows T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}

/// The player as the columns have it.
pub(super) fn key(player: PlayerId) -> i64 {
    player.steam_id64().cast_signed()
}

pub(crate) async fn find_players(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<PlayerRecord>, StoreError> {
    let query = sqlx::query(concat!(
        "select ",
        columns!(players),
        " from (select distinct * from unnest($2::bigint[])) as wanted (player_id)
         cross join lateral (
             select * from players where book = ",
        active_projection!(),
        " and player_id = wanted.player_id limit 1
         ) as players"
    ))
    .bind(pool.0)
    .bind(column(ids, |id| key(*id)));
    read_all(connection, query, players::record).await
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    projection: ProjectionId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into players (book, player_id, rating, rounds, entries, last_played,
                              rating_total, rating_squared_total, expected_total,
                              score_halves_total)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                                  $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                                  $10::bigint[])
         on conflict (book, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total",
    )
    .bind(projection.0)
    .bind(column(saved, |player| key(player.id)))
    .bind(column(saved, |player| i64::from(player.rating.points())))
    .bind(column(saved, |player| i64::from(player.rounds)))
    .bind(column(saved, |player| player.entries.cast_signed()))
    .bind(column(saved, |player| {
        player.last_played.map(Timestamp::unix_micros)
    }))
    .bind(column(saved, |player| player.totals.rating))
    .bind(column(saved, |player| player.totals.rating_squared))
    .bind(column(saved, |player| player.totals.expected))
    .bind(column(saved, |player| player.totals.score_halves));
    execute(connection, query).await
}

pub(crate) async fn find_entries(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<NewEntry>, StoreError> {
    let query = sqlx::query(concat!(
        "select ",
        columns!(entries),
        " from unnest($2::bigint[], $3::bigint[]) as wanted (player_id, number)
         cross join lateral (
             select * from entries where book = ",
        active_projection!(),
        " and player_id = wanted.player_id and number = wanted.number limit 1
         ) as entries"
    ))
    .bind(pool.0)
    .bind(column(wanted, |(player, _)| key(*player)))
    .bind(column(wanted, |(_, number)| number.cast_signed()));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn insert_entries(
    connection: &mut Connection,
    projection: ProjectionId,
    entries: &[NewEntry],
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into entries (book, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                                  $6::bigint[], $7::bigint[], $8::bigint[])",
    )
    .bind(projection.0)
    .bind(column(entries, |entry| key(entry.player)))
    .bind(column(entries, |entry| entry.number.cast_signed()))
    .bind(column(entries, |entry| entry.position.cast_signed()))
    .bind(column(entries, |entry| entry.totals.rating))
    .bind(column(entries, |entry| entry.totals.rating_squared))
    .bind(column(entries, |entry| entry.totals.expected))
    .bind(column(entries, |entry| entry.totals.score_halves));
    execute(connection, query).await
}

pub(crate) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        ", ",
        columns!(results),
        " from unnest($1::text[], $2::text[]) as wanted (server, round_id)
         cross join lateral (
             select * from rounds
             where server = wanted.server and round_id = wanted.round_id limit 1
         ) as rounds
         cross join lateral (
             select * from results
             where book = (select book from pools where id = rounds.pool_id)
               and position = rounds.position limit 1
         ) as results"
    ))
    .bind(column(names, |(server, _)| server.as_str()))
    .bind(column(names, |(_, round_id)| round_id.as_str()));
    read_all(connection, query, rounds::recorded).await
}

pub(crate) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    let reports: Vec<String> = inserted
        .iter()
        .map(|round| json_text(&round.round))
        .collect::<Result<_, _>>()?;
    let query = sqlx::query(
        "insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                             settings_id, voided_at)
         select $1, * from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[],
                                  $6::bigint[], $7::text[], $8::bigint[], $9::bigint[])",
    )
    .bind(pool.0)
    .bind(column(inserted, |round| round.position.cast_signed()))
    .bind(column(inserted, |round| {
        round.round.parts().server.as_str()
    }))
    .bind(column(inserted, |round| {
        round.round.parts().round_id.as_str()
    }))
    .bind(column(inserted, |round| {
        round.round.ended_at().unix_micros()
    }))
    .bind(column(inserted, |round| round.received_at.unix_micros()))
    .bind(reports)
    .bind(column(inserted, |round| round.settings.0))
    .bind(column(inserted, |round| {
        round.voided_at.map(u64::cast_signed)
    }));
    execute(connection, query).await
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    projection: ProjectionId,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    let players: Vec<String> = inserted
        .iter()
        .map(|result| json_text(&result.players))
        .collect::<Result<_, _>>()?;
    let favourites = column(inserted, |result| result.predictions.favourites);
    let query = sqlx::query(
        "insert into results (book, position, number, players, win_probability_a, theta, draws,
                              brier, log_loss, right_halves, score_halves, favourites,
                              favourite_predicted, favourite_score_halves, favourite_brier)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::float8[],
                                  $6::float8[], $7::bigint[], $8::float8[], $9::float8[],
                                  $10::bigint[], $11::bigint[], $12::bigint[], $13::float8[],
                                  $14::bigint[], $15::float8[])",
    )
    .bind(projection.0)
    .bind(column(inserted, |result| result.position.cast_signed()))
    .bind(column(inserted, |result| {
        result.predictions.rounds.cast_signed()
    }))
    .bind(players)
    .bind(column(inserted, |result| result.win_probability.get()))
    .bind(column(inserted, |result| result.theta))
    .bind(column(inserted, |result| {
        result.predictions.draws.cast_signed()
    }))
    .bind(column(inserted, |result| result.predictions.brier))
    .bind(column(inserted, |result| result.predictions.log_loss))
    .bind(column(inserted, |result| {
        result.predictions.right_halves.cast_signed()
    }))
    .bind(column(inserted, |result| {
        result.predictions.score_halves.cast_signed()
    }))
    .bind(column(&favourites, |sums| sums.rounds.cast_signed()))
    .bind(column(&favourites, |sums| sums.predicted))
    .bind(column(&favourites, |sums| sums.score_halves.cast_signed()))
    .bind(column(&favourites, |sums| sums.brier));
    execute(connection, query).await
}
