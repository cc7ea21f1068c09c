use sqlx::Row as _;

use super::{Connection, Fields, Row, execute, numbers, read_all};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::{PlayerState, RatingCount, Totals};
use crate::store::{EntryChunk, Generation, ListedPlayer, PlayerCounts, PoolId, StoreError};

pub(crate) async fn count(
    connection: &mut Connection,
    pool: PoolId,
    shadow_rounds: u32,
    stale_before: Timestamp,
) -> Result<PlayerCounts, StoreError> {
    let row = sqlx::query(concat!(
        "select count(*) as total,
                count(*) filter (where rounds < $2) as hidden,
                count(*) filter (where last_played < $3) as stale
         from players where",
        of_pool_players!(),
    ))
    .bind(pool.0)
    .bind(i64::from(shadow_rounds))
    .bind(stale_before.unix_micros())
    .fetch_one(connection)
    .await?;
    let row = Fields::of(&row, "players");
    Ok(PlayerCounts {
        total: row.number("total")?,
        hidden: row.number("hidden")?,
        stale: row.number("stale")?,
    })
}

pub(crate) async fn rating_counts(
    connection: &mut Connection,
    pool: PoolId,
    shadow_rounds: u32,
) -> Result<Vec<RatingCount>, StoreError> {
    let query = sqlx::query(concat!(
        "select rating, count(*) as players, count(*) filter (where rounds < $2) as hidden
         from players where",
        of_pool_players!(),
        " group by rating order by rating",
    ))
    .bind(pool.0)
    .bind(i64::from(shadow_rounds));
    read_all(connection, query, |row| {
        let row = Fields::of(row, "players");
        Ok(RatingCount {
            rating: row.rating("rating")?,
            players: row.number("players")?,
            hidden: row.number("hidden")?,
        })
    })
    .await
}

/// SQL `from` clause for the pool `$1`'s players whose ids are bound as `$2`, each once.
macro_rules! from_wanted_players {
    () => {
        concat!(
            "from (select distinct number",
            wanted_numbers!(),
            ") as wanted",
            join_one!(
                players,
                of_pool_players!(),
                "and players.player_id = wanted.number"
            )
        )
    };
}

pub(crate) async fn find(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<PlayerState>, StoreError> {
    let query = sqlx::query(select!(players, from_wanted_players!()))
        .bind(pool.0)
        .bind(numbers(ids.iter().map(|id| id.steam_id64())));
    read_all(connection, query, record).await
}

pub(crate) async fn find_with_last_rows(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<(PlayerState, EntryChunk)>, StoreError> {
    let query = sqlx::query(select!([players, last_entries], from_wanted_players!()))
        .bind(pool.0)
        .bind(numbers(ids.iter().map(|id| id.steam_id64())));
    read_all(connection, query, with_last_row).await
}

fn with_last_row(row: &Row) -> Result<(PlayerState, EntryChunk), StoreError> {
    let player = record(row)?;
    let last: Option<&[u8]> = Fields::of(row, "players").get("last_entries")?;
    let last = EntryChunk::unpack(player.id, player.entries, last.unwrap_or_default())?;
    Ok((player, last))
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<PlayerState>, StoreError> {
    let query = sqlx::query(select!(
        players,
        "from players where",
        of_pool_players!(),
        "and player_id > $2 order by player_id limit $3"
    ))
    .bind(pool.0)
    .bind(last.map_or(0, PlayerId::steam_id64).cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

pub(crate) async fn without_row(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<PlayerId>, StoreError> {
    let query = sqlx::query(concat!(
        "select distinct player_id from entries
         where pool_id = $1 and not exists (
             select 1 from players where",
        of_pool_players!(),
        " and players.player_id = entries.player_id)",
    ))
    .bind(pool.0);
    let player = |row: &Row| Fields::of(row, "entries").player("player_id");
    read_all(connection, query, player).await
}

pub(crate) async fn delete(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    players: &[PlayerId],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        "delete from players where pool_id = $1 and generation = coalesce($3, ",
        players_generation!(),
        ") and player_id",
        is_wanted!("$2")
    ))
    .bind(pool.0)
    .bind(numbers(players.iter().map(|id| id.steam_id64())))
    .bind(generation.map(|generation| generation.0));
    execute(connection, query).await
}

pub(crate) async fn copy(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let after = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let row = sqlx::query(concat!(
        "select max(player_id) as player_id from (select player_id from players where",
        of_pool_players!(),
        " and player_id > $2 order by player_id limit $3) as some_players"
    ))
    .bind(pool.0)
    .bind(after)
    .bind(i64::from(limit))
    .fetch_one(&mut *connection)
    .await?;
    let Some(last) = Fields::of(&row, "players").optional("player_id", Fields::player)? else {
        return Ok(None);
    };
    let query = sqlx::query(concat!(
        insert_into!(players),
        "$2, ",
        columns!(players),
        ", ",
        columns!(last_entries),
        " from players where",
        of_pool_players!(),
        " and player_id > $3 and player_id <= $4
         on conflict (pool_id, generation, player_id) do nothing"
    ))
    .bind(pool.0)
    .bind(generation.0)
    .bind(after)
    .bind(last.steam_id64().cast_signed());
    execute(connection, query).await?;
    Ok(Some(last))
}

pub(crate) async fn activate(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
) -> Result<(), StoreError> {
    let query = sqlx::query("update pools set players_generation = $2 where id = $1");
    execute(connection, query.bind(pool.0).bind(generation.0)).await
}

pub(crate) async fn clear(
    connection: &mut Connection,
    pool: PoolId,
    all: bool,
    limit: u32,
) -> Result<u64, StoreError> {
    /// SQL statement that deletes players of unused generations (row versions): those that compare as `$compared`, such
    /// as `<`, with the generation whose players are read.
    macro_rules! delete {
        ($compared:literal) => {
            concat!(
                "delete from players where pool_id = $1 and (generation, player_id) in (
                     select generation, player_id from players where pool_id = $1 and generation ",
                $compared,
                players_generation!(),
                " limit $2)"
            )
        };
    }
    let text = if all { delete!("<> ") } else { delete!("< ") };
    let query = sqlx::query(text).bind(pool.0).bind(i64::from(limit));
    Ok(query.execute(connection).await?.rows_affected())
}

pub(crate) fn record(row: &Row) -> Result<PlayerState, StoreError> {
    let row = Fields::of(row, "players");
    Ok(PlayerState {
        id: row.player("player_id")?,
        rating: row.rating("rating")?,
        rounds: row.number("rounds")?,
        entries: row.number("entries")?,
        last_played: row.optional("last_played", Fields::time)?,
        totals: Totals {
            rating: row.get("rating_total")?,
            rating_squared: row.get("rating_squared_total")?,
            expected: row.get("expected_total")?,
            score_halves: row.get("score_halves_total")?,
        },
        model_state: row.model_state()?,
    })
}

/// Returns up to `limit` of the pool's players after `last`, by id, with ratings and numbers of rounds and wins.
///
/// # Design
/// Passing a row to Rust costs ten times as much as reading it. So all rows come as one text, with a line for each.
pub(crate) async fn listed_after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<ListedPlayer>, StoreError> {
    let query = sqlx::query(concat!(
        "select string_agg(
             player_id || ' ' || rating || ' ' || rounds || ' ' || entries || ' ' ||
             coalesce(cast(last_played as text), '-') || ' ' || expected_total || ' ' ||
             score_halves_total, '\n' order by player_id)
         from (select * from players where",
        of_pool_players!(),
        " and player_id > $2 order by player_id limit $3) as players",
    ))
    .bind(pool.0)
    .bind(last.map_or(0, PlayerId::steam_id64).cast_signed())
    .bind(i64::from(limit));
    let row = query.fetch_one(connection).await?;
    let lines: Option<&str> = row.try_get(0)?;
    let lines = lines.unwrap_or_default().split_terminator('\n');
    lines.map(ListedPlayer::read).collect()
}
