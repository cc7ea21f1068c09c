//! Rounds, as they came and with their results in the active projection.

use super::{Connection, Fields, Row, execute, read_all, results};
use crate::domain::{PlayerId, Report, RoundParts, ServerName, Timestamp};
use crate::store::{
    LoggedRound, PoolId, RecordedRound, RoundFilter, SettingsId, StoreError, corrupt,
};

pub(crate) async fn latest_of_player(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        "from entries
         join rounds on rounds.pool_id = $1 and rounds.position = entries.position
         join results on results.book = entries.book and results.position = entries.position
         where entries.book =",
        active_projection!(),
        "and entries.player_id = $2
         order by entries.number desc limit $3"
    ))
    .bind(pool.0)
    .bind(player.steam_id64().cast_signed())
    .bind(i64::from(limit));
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

/// A page of the pool's rounds that meet `$condition`, the latest first.
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

/// The same with the results of those rounds.
macro_rules! recorded_page {
    ($condition:expr) => {
        select!(
            [rounds, results],
            "from rounds join results on results.book =",
            active_projection!(),
            "and results.position = rounds.position",
            page!($condition)
        )
    };
}

/// All rounds.
const EVERY_ROUND: &str = recorded_page!("true");

/// The rounds of the server `$7`.
const ROUNDS_OF_SERVER: &str = recorded_page!("rounds.server = $7");

/// The rounds, on the server `$7` unless that is null, in which the player `$8` stands, whose id in
/// quotes is `$9`. Players who were rated have an entry, those who were not a row of their own. A
/// voided round has no entries; there are few, and their reports have who stood there: in a list of
/// bare ids, or as the `id` of an object. The page is found before anything is read of its rounds.
const ROUNDS_OF_PLAYER: &str = recorded_page!(concat!(
    "rounds.position in (select rounds.position from rounds",
    page!(concat!(
        "rounds.server = coalesce($7, rounds.server) and rounds.position in (
             select position from entries where player_id = $8 and book = ",
        active_projection!(),
        "    union
             select position from unrated_players where pool_id = $1 and player_id = $8
             union
             select position from rounds
             where pool_id = $1 and voided_at is not null
               and (report like '%[' || $9 || '%' or report like '%,' || $9 || '%'
                    or report like '%\"id\":' || $9 || '%'))"
    )),
    ")"
));

pub(crate) async fn list(
    connection: &mut Connection,
    pool: PoolId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let text = match (filter.player, &filter.server) {
        (None, None) => EVERY_ROUND,
        (None, Some(_)) => ROUNDS_OF_SERVER,
        (Some(_), _) => ROUNDS_OF_PLAYER,
    };
    let (before_time, before_position) = match before {
        Some((time, position)) => (time.unix_micros(), position.cast_signed()),
        None => (i64::MAX, i64::MAX),
    };
    let mut query = sqlx::query(text)
        .bind(pool.0)
        .bind(filter.from.map_or(i64::MIN, Timestamp::unix_micros))
        .bind(filter.to.map_or(i64::MAX, Timestamp::unix_micros))
        .bind(before_time)
        .bind(before_position)
        .bind(i64::from(limit));
    if filter.player.is_some() || filter.server.is_some() {
        query = query.bind(filter.server.as_ref().map(ServerName::as_str));
    }
    if let Some(player) = filter.player {
        query = query
            .bind(player.steam_id64().cast_signed())
            .bind(format!("\"{player}\""));
    }
    read_all(connection, query, recorded).await
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

pub(crate) async fn set_voided_at(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    voided_at: Option<u64>,
) -> Result<(), StoreError> {
    let query =
        sqlx::query("update rounds set voided_at = $3 where pool_id = $1 and position = $2")
            .bind(pool.0)
            .bind(position.cast_signed())
            .bind(voided_at.map(u64::cast_signed));
    execute(connection, query).await
}

/// The round of a row of the table.
fn logged(row: &Row) -> Result<LoggedRound, StoreError> {
    let row = Fields::of(row, "rounds");
    let parts: RoundParts = row.json("report")?;
    let ended_at = row.time("ended_at")?;
    let pool = parts.pool.clone().ok_or_else(|| row.corrupt("report"))?;
    // What stands in columns of its own, to be looked for, is what was reported.
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
        received_at: row.time("received_at")?,
        settings: SettingsId(row.get("settings_id")?),
        voided_at: row.optional("voided_at", Fields::number)?,
    })
}

/// The round of a row of the table that is joined to its result.
pub(crate) fn recorded(row: &Row) -> Result<RecordedRound, StoreError> {
    let (logged, result) = (logged(row)?, results::record(row)?);
    if result.players.len() != logged.round.participants().count() {
        return Err(corrupt("results", "players"));
    }
    Ok(RecordedRound { logged, result })
}
