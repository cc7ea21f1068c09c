//! Rounds, as they came and with what the active projection says of them.

use super::{Connection, Row, results};
use crate::domain::{PlayerId, Round, RoundParts, Timestamp};
use crate::store::{
    LoggedRound, PoolId, RecordedRound, RoundFilter, SettingsId, StoreError, corrupt,
};
use sqlx::Row as _;

pub(in crate::store) async fn latest_of_player(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        ", ",
        columns!(results),
        " from entries
         join rounds on rounds.pool_id = $1 and rounds.position = entries.position
         join results on results.book = entries.book and results.position = entries.position
         where entries.book = ",
        active_projection!(),
        " and entries.player_id = $2
         order by entries.number desc limit $3"
    ))
    .bind(pool.0)
    .bind(player.steam_id64().cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(recorded).collect()
}

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<LoggedRound>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        " from rounds
         where pool_id = $1 and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(logged).collect()
}

/// Which rounds of a list come, for `list!`.
macro_rules! list {
    ($from:expr, $condition:expr) => {
        concat!(
            "select ",
            columns!(rounds),
            ", ",
            columns!(results),
            " from ",
            $from,
            " join results on results.book = ",
            active_projection!(),
            " and results.position = rounds.position
             where rounds.pool_id = $1 and rounds.ended_at >= $2 and rounds.ended_at < $3
               and (rounds.ended_at, rounds.position) < ($4, $5)",
            $condition,
            " order by rounds.ended_at desc, rounds.position desc limit $6"
        )
    };
}

pub(in crate::store) async fn list(
    connection: &mut Connection,
    pool: PoolId,
    filter: &RoundFilter,
    before: Option<(Timestamp, u64)>,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    // A query for each, so that each is answered from an index that fits.
    let query = match (filter.player, &filter.server) {
        (None, None) => list!("rounds", ""),
        (None, Some(_)) => list!("rounds", " and rounds.server = $7"),
        (Some(_), server) => {
            // Whom a round did not rate has no entry for it: who only stood on a team, and everybody
            // of a voided round. Those are few, and told by the report.
            macro_rules! played {
                ($server:expr) => {
                    list!(
                        "(select position from entries
                          where book = (select book from pools where id = $1) and player_id = $8
                          union
                          select position from rounds
                          where pool_id = $1 and voided_at is not null
                            and report like '%\"' || $9 || '\"%') as played
                         join rounds on rounds.position = played.position",
                        $server
                    )
                };
            }
            match server {
                None => played!(" and $7 = ''"),
                Some(_) => played!(" and rounds.server = $7"),
            }
        }
    };
    let (before_time, before_position) = match before {
        Some((time, position)) => (time.unix_micros(), position.cast_signed()),
        None => (i64::MAX, i64::MAX),
    };
    let mut query = sqlx::query(query)
        .bind(pool.0)
        .bind(filter.from.map_or(i64::MIN, Timestamp::unix_micros))
        .bind(filter.to.map_or(i64::MAX, Timestamp::unix_micros))
        .bind(before_time)
        .bind(before_position)
        .bind(i64::from(limit));
    match (&filter.server, filter.player) {
        (Some(server), _) => query = query.bind(server.as_str()),
        (None, Some(_)) => query = query.bind(""),
        (None, None) => {}
    }
    if let Some(player) = filter.player {
        query = query
            .bind(player.steam_id64().cast_signed())
            .bind(player.steam_id64().to_string());
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(recorded).collect()
}

pub(in crate::store) async fn mark(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    voided_at: Option<u64>,
) -> Result<(), StoreError> {
    sqlx::query("update rounds set voided_at = $3 where pool_id = $1 and position = $2")
        .bind(pool.0)
        .bind(position.cast_signed())
        .bind(voided_at.map(u64::cast_signed))
        .execute(connection)
        .await?;
    Ok(())
}

/// The round of a row of the table.
pub(in crate::store) fn logged(row: &Row) -> Result<LoggedRound, StoreError> {
    let place = |column: &'static str, place: i64| {
        u64::try_from(place).map_err(|_| corrupt("rounds", column))
    };
    let moment = |column: &'static str| {
        Timestamp::from_unix_micros(row.try_get(column)?).map_err(|_| corrupt("rounds", column))
    };
    let parts: RoundParts =
        serde_json::from_str(row.try_get("report")?).map_err(|_| corrupt("rounds", "report"))?;
    let ended_at = moment("ended_at")?;
    // What stands in columns of its own, to be looked for, is what was reported.
    for (column, same) in [
        (
            "server",
            row.try_get::<&str, _>("server")? == parts.server.as_str(),
        ),
        (
            "round_id",
            row.try_get::<&str, _>("round_id")? == parts.round_id.as_str(),
        ),
        ("ended_at", parts.ended_at == Some(ended_at)),
    ] {
        if !same {
            return Err(corrupt("rounds", column));
        }
    }
    Ok(LoggedRound {
        position: place("position", row.try_get("position")?)?,
        round: Round::try_from(parts).map_err(|_| corrupt("rounds", "report"))?,
        ended_at,
        received_at: moment("received_at")?,
        settings: SettingsId(row.try_get("settings_id")?),
        voided_at: row
            .try_get::<Option<i64>, _>("voided_at")?
            .map(|position| place("voided_at", position))
            .transpose()?,
    })
}

/// The round of a row of the table that is joined to its result.
pub(in crate::store) fn recorded(row: &Row) -> Result<RecordedRound, StoreError> {
    let (logged, result) = (logged(row)?, results::record(row)?);
    if result.players.len() != logged.round.participants().count() {
        return Err(corrupt("results", "players"));
    }
    Ok(RecordedRound { logged, result })
}

/// The report as the JSON column holds it.
pub(in crate::store) fn report_text(round: &LoggedRound) -> Result<String, StoreError> {
    serde_json::to_string(&round.round).map_err(|_| corrupt("rounds", "report"))
}
