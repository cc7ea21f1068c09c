//! Queries for prunes: their records, and the deletion of old rows.

use std::collections::BTreeMap;

use super::{Connection, Fields, Row, execute, json_text, read_all};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::{GroupKind, GroupTotals, RoundGroup};
use crate::store::{PoolId, PruneRecord, PrunedRound, StoreError};

pub(crate) async fn end(
    connection: &mut Connection,
    pool: PoolId,
    before: Timestamp,
) -> Result<Option<(u64, Timestamp)>, StoreError> {
    let row = sqlx::query(
        "select position, received_at from rounds
         where pool_id = $1 and position < coalesce(
             (select min(position) from rounds where pool_id = $1 and ended_at >= $2), $3)
         order by position desc limit 1",
    )
    .bind(pool.0)
    .bind(before.unix_micros())
    .bind(i64::MAX)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let row = Fields::of(&row, "rounds");
    Ok(Some((row.number("position")?, row.time("received_at")?)))
}

pub(crate) async fn insert(
    connection: &mut Connection,
    pool: PoolId,
    prune: &PruneRecord,
) -> Result<(), StoreError> {
    let groups = prune.groups.iter();
    let groups: Vec<_> = groups
        .map(|(group, sums)| (group.kind.name(), &group.name, sums))
        .collect();
    let query = sqlx::query(
        "insert into prunes (pool_id, position, pruned_at, file, kept_window, last_received_at,
                             calibration, experience, group_sums)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(pool.0)
    .bind(prune.position.cast_signed())
    .bind(prune.pruned_at.unix_micros())
    .bind(&prune.file)
    .bind(i64::from(prune.kept_window))
    .bind(prune.last_received_at.unix_micros())
    .bind(json_text(&prune.calibration)?)
    .bind(json_text(&prune.experience)?)
    .bind(json_text(&groups)?);
    execute(&mut *connection, query).await?;
    let query = sqlx::query("update pools set pruned = $2 where id = $1")
        .bind(pool.0)
        .bind(prune.position.cast_signed());
    execute(connection, query).await
}

pub(crate) async fn last(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Option<PruneRecord>, StoreError> {
    let query = sqlx::query(select!(
        prunes,
        "from prunes where pool_id = $1 order by position desc limit 1"
    ))
    .bind(pool.0);
    Ok(read_all(connection, query, record).await?.pop())
}

pub(crate) async fn of_position(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<Option<PruneRecord>, StoreError> {
    let query = sqlx::query(select!(
        prunes,
        "from prunes where pool_id = $1 and position >= $2 order by position limit 1"
    ))
    .bind(pool.0)
    .bind(position.cast_signed());
    Ok(read_all(connection, query, record).await?.pop())
}

fn record(row: &Row) -> Result<PruneRecord, StoreError> {
    let row = Fields::of(row, "prunes");
    let groups: Vec<(String, String, GroupTotals)> = row.json("group_sums")?;
    let groups = groups.into_iter().map(|(kind, name, sums)| {
        let kind = GroupKind::ALL.into_iter().find(|of| of.name() == kind)?;
        Some((RoundGroup { kind, name }, sums))
    });
    let groups: Option<BTreeMap<RoundGroup, GroupTotals>> = groups.collect();
    Ok(PruneRecord {
        position: row.number("position")?,
        pruned_at: row.time("pruned_at")?,
        file: row.get("file")?,
        kept_window: row.number("kept_window")?,
        last_received_at: row.time("last_received_at")?,
        calibration: row.json("calibration")?,
        experience: row.json("experience")?,
        groups: groups.ok_or_else(|| row.corrupt("group_sums"))?,
    })
}

pub(crate) fn pruned_round(row: &Row) -> Result<PrunedRound, StoreError> {
    let row = Fields::of(row, "pruned_rounds");
    Ok(PrunedRound {
        server: row.parsed("server")?,
        round_id: row.parsed("round_id")?,
        pool: row.parsed("name")?,
        pruned_at: row.time("pruned_at")?,
        file: row.get("file")?,
    })
}

pub(crate) async fn delete_rounds(
    connection: &mut Connection,
    pool: PoolId,
    last: u64,
    limit: u32,
) -> Result<bool, StoreError> {
    let end = sqlx::query_scalar::<_, Option<i64>>(
        "select max(position) from (select position from rounds
         where pool_id = $1 and position <= $2 order by position limit $3) as some_rows",
    )
    .bind(pool.0)
    .bind(last.cast_signed())
    .bind(i64::from(limit))
    .fetch_one(&mut *connection)
    .await?;
    let Some(end) = end else { return Ok(false) };
    for text in [
        "insert into pruned_rounds (server, round_id, pool_id, position)
         select server, round_id, pool_id, position from rounds
         where pool_id = $1 and position <= $2",
        "delete from rounds where pool_id = $1 and position <= $2",
    ] {
        execute(connection, sqlx::query(text).bind(pool.0).bind(end)).await?;
    }
    Ok(true)
}

pub(crate) async fn delete_results(
    connection: &mut Connection,
    pool: PoolId,
    (after, last): (u64, u64),
    first: u64,
    limit: u32,
) -> Result<Option<u64>, StoreError> {
    let end = sqlx::query_scalar::<_, Option<i64>>(
        "select max(position) from (select position from results
         where pool_id = $1 and position > $2 and position <= $3
         order by position limit $4) as some_rows",
    )
    .bind(pool.0)
    .bind(after.cast_signed())
    .bind(last.cast_signed())
    .bind(i64::from(limit))
    .fetch_one(&mut *connection)
    .await?;
    let Some(end) = end else { return Ok(None) };
    let query = sqlx::query(
        "delete from results
         where pool_id = $1 and position > $2 and position <= $3 and number < $4",
    )
    .bind(pool.0)
    .bind(after.cast_signed())
    .bind(end)
    .bind(first.cast_signed());
    execute(connection, query).await?;
    Ok(Some(end.cast_unsigned()))
}

/// SQL query of the last player among the first `$3` rows of a table behind the player `$2`, by id.
macro_rules! last_player {
    ($table:literal) => {
        concat!(
            "select max(player_id) as player_id from (select player_id from ",
            $table,
            " where pool_id = $1 and player_id > $2 order by player_id limit $3) as some_rows"
        )
    };
}

/// SQL statement that deletes the rows of `unrated_players` up to the log position `$4`, of players after `$2` up to
/// `$3`.
const DELETE_UNRATED: &str = "delete from unrated_players
     where pool_id = $1 and player_id > $2 and player_id <= $3 and position <= $4";

/// SQL statement that deletes rows of the rated rounds of the players behind `$2` up to `$3`. Keeps the last `$5` of
/// the rows that begin up to the log position `$4`, and the later ones. Keeps every row of a player who was reset up to
/// that position, because only all of them together give the player's state since the reset.
const DELETE_ENTRIES: &str = "delete from entries
     where pool_id = $1 and player_id > $2 and player_id <= $3
       and chunk <= (
           select max(latest.chunk) from entries as latest
           where latest.pool_id = entries.pool_id and latest.player_id = entries.player_id
                 and latest.first_position <= $4) - $5
       and not exists (
           select 1 from changes
           where changes.pool_id = entries.pool_id and changes.player_id = entries.player_id
                 and changes.position <= $4 and changes.kind = 'reset')";

pub(crate) async fn delete_entries(
    connection: &mut Connection,
    pool: PoolId,
    after: Option<PlayerId>,
    (last, kept): (u64, u64),
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let from = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let to = last_player(connection, last_player!("entries"), pool, from, limit).await?;
    let Some(to) = to else { return Ok(None) };
    let query = sqlx::query(DELETE_ENTRIES)
        .bind(pool.0)
        .bind(from)
        .bind(to.steam_id64().cast_signed())
        .bind(last.cast_signed())
        .bind(kept.cast_signed());
    execute(connection, query).await?;
    Ok(Some(to))
}

pub(crate) async fn delete_unrated(
    connection: &mut Connection,
    pool: PoolId,
    after: Option<PlayerId>,
    last: u64,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let from = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let to = last_player(
        connection,
        last_player!("unrated_players"),
        pool,
        from,
        limit,
    )
    .await?;
    let Some(to) = to else { return Ok(None) };
    let query = sqlx::query(DELETE_UNRATED)
        .bind(pool.0)
        .bind(from)
        .bind(to.steam_id64().cast_signed())
        .bind(last.cast_signed());
    execute(connection, query).await?;
    Ok(Some(to))
}

async fn last_player(
    connection: &mut Connection,
    text: &'static str,
    pool: PoolId,
    after: i64,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let row = sqlx::query(text)
        .bind(pool.0)
        .bind(after)
        .bind(i64::from(limit))
        .fetch_one(connection)
        .await?;
    Fields::of(&row, "entries").optional("player_id", Fields::player)
}
