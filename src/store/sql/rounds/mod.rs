//! Queries of the table `rounds`, with the current results of the rounds.

pub(crate) mod entries;
pub(crate) mod results;
pub(crate) mod scoreboards;

use super::{Connection, Fields, Query, Row, bound, execute, json_text, read_all};
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

pub(crate) const AT: &str = select!(
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
);

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
    let (text, extra) = match (&filter.server, filter.secret) {
        (None, None) => (EVERY_ROUND, 0),
        (Some(_), None) => (ROUNDS_OF_SERVER, 1),
        (_, Some(_)) => (ROUNDS_OF_SECRET, 2),
    };
    let mut query = bind_page(text, pool, filter, before, limit)?;
    let server = filter.server.as_ref().map(ServerName::to_string);
    for value in [server, secret_text(filter)].into_iter().take(extra) {
        query = query.bind(value);
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
    let query = bind_page(UNRATED_ROUNDS_OF_PLAYER, pool, filter, before, limit)?
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

/// Returns an SQL query of a page of rounds with the values of `$1` to `$9`: pool, end times, page and limit, then map
/// and arrival times for the macro `is_of`.
fn bind_page(
    text: &'static str,
    pool: PoolId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Query<'static>, StoreError> {
    let (before_time, before_position) = match before {
        Some((time, position)) => (time.unix_micros(), position.cast_signed()),
        None => (i64::MAX, i64::MAX),
    };
    let values = (
        pool,
        filter.from.map_or(i64::MIN, Timestamp::unix_micros),
        filter.to.map_or(i64::MAX, Timestamp::unix_micros),
        before_time,
        before_position,
        limit,
        map_text(filter)?,
        filter
            .received_from
            .map_or(i64::MIN, Timestamp::unix_micros),
        filter.received_to.map_or(i64::MAX, Timestamp::unix_micros),
    );
    Ok(bound(text, values))
}

/// Returns the map of a filter as the member of a report, for the macro `is_on_map`.
fn map_text(filter: &RoundFilter) -> Result<Option<String>, StoreError> {
    let map = filter.map.as_ref().map(json_text).transpose()?;
    Ok(map.map(|map| format!("\"map\":{map}")))
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
    let values = (
        pool,
        positions,
        map_text(filter)?,
        filter
            .received_from
            .map_or(i64::MIN, Timestamp::unix_micros),
        filter.received_to.map_or(i64::MAX, Timestamp::unix_micros),
        filter.secret,
    );
    read_all(connection, bound(OF_THEM, values), position).await
}

pub(crate) fn position(row: &Row) -> Result<u64, StoreError> {
    Fields::of(row, "rounds").number("position")
}

pub(crate) async fn set_marks(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    marks: RoundMarks,
) -> Result<(), StoreError> {
    let text = "update rounds set voided_at = $3, corrected_winner = $4
         where pool_id = $1 and position = $2";
    execute(
        connection,
        bound(text, (pool, position, marks.voided_at, marks.winner)),
    )
    .await
}

pub(crate) fn logged(row: &Row) -> Result<LoggedRound, StoreError> {
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

pub(crate) fn id(row: &Row) -> Result<RoundId, StoreError> {
    Fields::of(row, "rounds").parsed("round_id")
}

/// Reads the log position of a round, and the time at which the round ended.
pub(crate) fn ended(row: &Row) -> Result<(u64, Timestamp), StoreError> {
    let row = Fields::of(row, "rounds");
    Ok((row.number("position")?, row.time("ended_at")?))
}

/// Reads the log position of a round, and the time at which the service received the round.
pub(crate) fn received(row: &Row) -> Result<(u64, Timestamp), StoreError> {
    let row = Fields::of(row, "rounds");
    Ok((row.number("position")?, row.time("received_at")?))
}

/// Reads a server, and the end time of a round of it.
pub(crate) fn ended_on_server(row: &Row) -> Result<(ServerName, Timestamp), StoreError> {
    let row = Fields::of(row, "rounds");
    Ok((row.parsed("server")?, row.time("ended_at")?))
}

/// Reads a server, and its number of rounds.
pub(crate) fn played_on_server(row: &Row) -> Result<(ServerName, u64), StoreError> {
    let row = Fields::of(row, "rounds");
    Ok((row.parsed("server")?, row.number("played")?))
}
