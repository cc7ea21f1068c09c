//! Queries of the table `rounds`, with the current results of the rounds.

pub(crate) mod entries;
pub(crate) mod results;
pub(crate) mod scoreboards;

use super::{Connection, Fields, Query, Row, execute, json_text, numbers, read_all};
use crate::domain::{PlayerId, Report, RoundId, ServerName, Timestamp, Winner};
use crate::store::{
    LoggedRound, PoolId, RecordedRound, RoundFilter, RoundMarks, RoundTraces, SettingsId,
    StoreError, corrupt,
};

/// Reads a row of the look-up of reported rounds, which says if a round is known.
pub(crate) fn traces(row: &Row) -> Result<RoundTraces, StoreError> {
    let row = Fields::of(row, "rounds");
    Ok(RoundTraces {
        server: row.parsed("server")?,
        round_id: row.parsed("round_id")?,
        is_known: row.number::<u64>("rounds")? > 0,
        has_notices: row.number::<u64>("notices")? > 0,
    })
}

pub(crate) async fn at(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        wanted_numbers!(),
        join_one!(
            rounds,
            "rounds.pool_id = $1 and rounds.position = wanted.number"
        ),
        join_one!(
            results,
            "results.pool_id = $1 and results.position = rounds.position and",
            is_current!(results, active_generation!())
        )
    ))
    .bind(pool.0)
    .bind(numbers(positions.iter().copied()));
    read_all(connection, query, recorded).await
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<LoggedRound>, StoreError> {
    let query = sqlx::query(select!(
        rounds,
        "from rounds where pool_id = $1 and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, logged).await
}

/// SQL text that selects a page of the pool's rounds that meet `$condition`, latest first.
macro_rules! page {
    ($condition:expr) => {
        concat!(
            " where rounds.pool_id = $1 and rounds.ended_at >= $2 and rounds.ended_at < $3
                and (rounds.ended_at, rounds.position) < ($4, $5)
                and ",
            $condition,
            " order by rounds.ended_at desc, rounds.position desc limit $6"
        )
    };
}

/// SQL query of a page of the pool's rounds that meet `$condition`, latest first, with their results.
macro_rules! recorded_page {
    ($condition:expr) => {
        select!(
            [rounds, results],
            "from rounds join results on results.pool_id = $1 and results.position = rounds.position
             and",
            is_current!(results, active_generation!()),
            page!($condition)
        )
    };
}

/// SQL condition that the round was played on a map, or `$parameter` is null. The parameter is the map's member in the
/// JSON of the report. Text within a report has no bare quotes, so only the member matches; `like` would ignore case.
macro_rules! is_on_map {
    ($parameter:literal) => {
        concat!(
            "(",
            $parameter,
            " is null or replace(rounds.report, ",
            $parameter,
            ", '') <> rounds.report)"
        )
    };
}

/// SQL condition that the round was played on the bound map, if any, and received at or after `$from` and before `$to`.
macro_rules! is_of {
    ($map:literal, $from:literal, $to:literal) => {
        concat!(
            is_on_map!($map),
            " and rounds.received_at >= ",
            $from,
            " and rounds.received_at < ",
            $to
        )
    };
}

/// SQL query of rounds on the map `$7` that arrived at or after `$8` and before `$9`, with their results.
const EVERY_ROUND: &str = recorded_page!(is_of!("$7", "$8", "$9"));

/// SQL query of the rounds of [`EVERY_ROUND`] on the server `$10`.
const ROUNDS_OF_SERVER: &str = recorded_page!(concat!(
    "rounds.server = $10 and ",
    is_of!("$7", "$8", "$9")
));

/// SQL query of the rounds of [`EVERY_ROUND`] sent with the secret `$11`, on the server `$10` unless that is null.
const ROUNDS_OF_SECRET: &str = recorded_page!(concat!(
    "rounds.secret = $11 and rounds.server = coalesce($10, rounds.server) and ",
    is_of!("$7", "$8", "$9")
));

/// SQL query of the log positions of rounds in which the player `$12` was on a team without being rated. `$10` and
/// `$11` are server and secret of the rounds, unless null; `$13` is the player's id in quotes. Players without a part
/// in a round have rows in `unrated_players`. A voided round rates nobody, so its report is searched for the id: in a
/// list of bare ids, or as the `id` of an object. Voided rounds are few.
const UNRATED_ROUNDS_OF_PLAYER: &str = concat!(
    "select rounds.position, rounds.ended_at from rounds",
    page!(concat!(
        is_of!("$7", "$8", "$9"),
        " and rounds.server = coalesce($10, rounds.server)
          and ($11 is null or rounds.secret = $11) and rounds.position in (
             select position from unrated_players where pool_id = $1 and player_id = $12
             union
             select position from rounds
             where pool_id = $1 and voided_at is not null
               and (report like '%[' || $13 || '%' or report like '%,' || $13 || '%'
                    or report like '%\"id\":' || $13 || '%'))"
    ))
);

/// SQL query of the log positions among `$2` whose rounds were played on the map `$3` and arrived at or after `$4` and
/// before `$5`. Unless `$6` is null, the rounds came with that secret.
const OF_THEM: &str = concat!(
    "select rounds.position",
    wanted_numbers!(),
    join_one!(
        rounds,
        "rounds.pool_id = $1 and rounds.position = wanted.number and ($6 is null or rounds.secret = $6) and",
        is_of!("$3", "$4", "$5")
    )
);

pub(crate) async fn list(
    connection: &mut Connection,
    pool: PoolId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let (text, bound) = match (&filter.server, filter.secret) {
        (None, None) => (EVERY_ROUND, 0),
        (Some(_), None) => (ROUNDS_OF_SERVER, 1),
        (_, Some(_)) => (ROUNDS_OF_SECRET, 2),
    };
    let mut query = bind_page(sqlx::query(text), pool, filter, before, limit)?;
    let server = filter.server.as_ref().map(ServerName::to_string);
    for bound in [server, secret_text(filter)].into_iter().take(bound) {
        query = query.bind(bound);
    }
    read_all(connection, query, recorded).await
}

pub(crate) async fn unrated_of_player(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Vec<(Timestamp, u64)>, StoreError> {
    let query = sqlx::query(UNRATED_ROUNDS_OF_PLAYER);
    let query = bind_page(query, pool, filter, before, limit)?
        .bind(filter.server.as_ref().map(ServerName::as_str))
        .bind(secret_text(filter))
        .bind(player.steam_id64().cast_signed())
        .bind(format!("\"{player}\""));
    read_all(connection, query, |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.time("ended_at")?, row.number("position")?))
    })
    .await
}

/// Binds pool, end times, page and limit of a list of rounds to an SQL query, then the parameters of [`bind_filter`].
fn bind_page<'text>(
    query: Query<'text>,
    pool: PoolId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Query<'text>, StoreError> {
    let (before_time, before_position) = match before {
        Some((time, position)) => (time.unix_micros(), position.cast_signed()),
        None => (i64::MAX, i64::MAX),
    };
    let query = query
        .bind(pool.0)
        .bind(filter.from.map_or(i64::MIN, Timestamp::unix_micros))
        .bind(filter.to.map_or(i64::MAX, Timestamp::unix_micros))
        .bind(before_time)
        .bind(before_position)
        .bind(i64::from(limit));
    bind_filter(query, filter)
}

/// Binds map and arrival times of a filter of rounds to an SQL query, for the macro `is_of`.
fn bind_filter<'text>(
    query: Query<'text>,
    filter: &RoundFilter,
) -> Result<Query<'text>, StoreError> {
    let (from, to) = (filter.received_from, filter.received_to);
    let map = filter.map.as_ref().map(json_text).transpose()?;
    Ok(query
        .bind(map.map(|map| format!("\"map\":{map}")))
        .bind(from.map_or(i64::MIN, Timestamp::unix_micros))
        .bind(to.map_or(i64::MAX, Timestamp::unix_micros)))
}

fn secret_text(filter: &RoundFilter) -> Option<String> {
    filter.secret.map(|secret| secret.to_string())
}

pub(crate) async fn that_meet(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
    filter: &RoundFilter,
) -> Result<Vec<u64>, StoreError> {
    let query = sqlx::query(OF_THEM)
        .bind(pool.0)
        .bind(numbers(positions.iter().copied()));
    let query = bind_filter(query, filter)?.bind(secret_text(filter));
    read_all(connection, query, |row| {
        Fields::of(row, "rounds").number("position")
    })
    .await
}

pub(crate) async fn positions_of_server(
    connection: &mut Connection,
    pool: PoolId,
    server: &ServerName,
    (first, last): (Timestamp, Timestamp),
    limit: u32,
) -> Result<Vec<u64>, StoreError> {
    let query = sqlx::query(
        "select position from rounds
         where pool_id = $1 and server = $2 and ended_at >= $3 and ended_at <= $4 limit $5",
    )
    .bind(pool.0)
    .bind(server.as_str())
    .bind(first.unix_micros())
    .bind(last.unix_micros())
    .bind(i64::from(limit));
    read_all(connection, query, |row| {
        Fields::of(row, "rounds").number("position")
    })
    .await
}

pub(crate) async fn last_of_server(
    connection: &mut Connection,
    pool: PoolId,
    server: &ServerName,
    until: Timestamp,
) -> Result<Option<RoundId>, StoreError> {
    let query = sqlx::query(
        "select round_id from rounds where pool_id = $1 and server = $2 and ended_at <= $3
         order by ended_at desc, position desc limit 1",
    )
    .bind(pool.0)
    .bind(server.as_str())
    .bind(until.unix_micros());
    let rounds = read_all(connection, query, |row| {
        Fields::of(row, "rounds").parsed("round_id")
    });
    Ok(rounds.await?.pop())
}

pub(crate) async fn by_server(
    connection: &mut Connection,
    pool: PoolId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<(ServerName, u64)>, StoreError> {
    let query = sqlx::query(
        "select server, count(*) as played
         from rounds
         where pool_id = $1 and ended_at >= $2 and ended_at < $3 and voided_at is null
         group by server",
    )
    .bind(pool.0)
    .bind(from.unix_micros())
    .bind(to.unix_micros());
    read_all(connection, query, |row| {
        let row = Fields::of(row, "rounds");
        Ok((row.parsed("server")?, row.number("played")?))
    })
    .await
}

pub(crate) async fn set_marks(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    marks: RoundMarks,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "update rounds set voided_at = $3, corrected_winner = $4
         where pool_id = $1 and position = $2",
    )
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(marks.voided_at.map(u64::cast_signed))
    .bind(marks.winner.map(|winner| winner.to_string()));
    execute(connection, query).await
}

fn logged(row: &Row) -> Result<LoggedRound, StoreError> {
    let row = Fields::of(row, "rounds");
    let mut parts = scoreboards::whole_report(row)?;
    let reported = parts.winner;
    parts.winner = corrected_winner(row)?.unwrap_or(reported);
    let ended_at = row.time("ended_at")?;
    let pool = parts.pool.clone().ok_or_else(|| row.corrupt("report"))?;
    // The columns that queries search must agree with the report.
    let (server, round_id): (&str, &str) = (row.get("server")?, row.get("round_id")?);
    for (column, same) in [
        ("server", server == parts.server.as_str()),
        ("round_id", round_id == parts.round_id.as_str()),
        ("ended_at", parts.ended_at == Some(ended_at)),
    ] {
        if !same {
            return Err(row.corrupt(column));
        }
    }
    Ok(LoggedRound {
        position: row.number("position")?,
        round: Report::try_from(parts)
            .map_err(|_| row.corrupt("report"))?
            .settled(ended_at, pool),
        reported,
        received_at: row.time("received_at")?,
        secret: row.optional("secret", Fields::parsed)?,
        settings: SettingsId(row.get("settings_id")?),
        voided_at: row.optional("voided_at", Fields::number)?,
    })
}

pub(crate) fn corrected_winner(row: Fields<'_>) -> Result<Option<Winner>, StoreError> {
    row.optional("corrected_winner", Fields::parsed)
}

/// Reads a row of `rounds` that is joined to its result.
pub(crate) fn recorded(row: &Row) -> Result<RecordedRound, StoreError> {
    let (logged, result) = (logged(row)?, results::record(row)?);
    if result.players.len() != logged.round.participants().count() {
        return Err(corrupt("results", "content"));
    }
    Ok(RecordedRound { logged, result })
}
