//! Queries of the table `entries`: the rated rounds of players, many to a row.

use super::super::{Connection, Fields, Row, bound, read_all, read_value};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::Entry;
use crate::store::{
    ChunksBefore, EntryChunk, Generation, PoolId, StoreError, content, listed_player,
};

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<(PlayerId, u64)>,
    limit: u32,
) -> Result<Vec<EntryChunk>, StoreError> {
    let (player, chunk) = last.map_or((0, -1), |(player, chunk)| {
        (player.steam_id64().cast_signed(), chunk.cast_signed())
    });
    let text = select!(
        entries,
        "from entries where pool_id = $1 and (player_id, chunk) > ($2, $3) and",
        is_current!(entries, active_generation!()),
        "order by player_id, chunk limit $4"
    );
    read_all(
        connection,
        bound(text, (pool, player, chunk, limit)),
        record,
    )
    .await
}

pub(crate) async fn of_player(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    limit: u32,
) -> Result<Vec<EntryChunk>, StoreError> {
    let text = select!(
        entries,
        "from entries where pool_id = $1 and player_id = $2 and ended_to >= $3 and ended_from <= $4
         and",
        is_current!(entries, active_generation!()),
        "order by chunk desc limit $5"
    );
    let values = (
        pool,
        player,
        from.map_or(i64::MIN, Timestamp::unix_micros),
        to.map_or(i64::MAX, Timestamp::unix_micros),
        limit,
    );
    read_all(connection, bound(text, values), record).await
}

pub(crate) async fn first(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
) -> Result<Option<u64>, StoreError> {
    let text = "select min(chunk) from entries where pool_id = $1 and player_id = $2";
    let chunk: Option<i64> = read_value(connection, bound(text, (pool, player))).await?;
    Ok(chunk.map(|chunk| chunk.cast_unsigned() * EntryChunk::SIZE + 1))
}

pub(crate) async fn before(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
    end: ChunksBefore,
    chunks: u64,
) -> Result<Vec<EntryChunk>, StoreError> {
    let text = select!(
        entries,
        wanted_numbers!(),
        join_many!(
            entries,
            "entries.pool_id = $1 and entries.player_id = wanted.number
             and entries.chunk > (
                 select latest.chunk from entries as latest
                 where latest.pool_id = $1 and latest.player_id = wanted.number
                       and latest.first_position < $8
                       and (latest.generation = $4
                            or latest.generation <= $5 and latest.first_position < $3)
                       and latest.generation = (
                           select max(newer.generation) from entries as newer
                           where newer.pool_id = $1 and newer.player_id = wanted.number
                                 and newer.chunk = latest.chunk and newer.generation <= $7)
                 order by latest.chunk desc limit 1) - $6
             and (entries.generation = $4
                  or entries.generation <= $5 and entries.first_position < $3) and",
            is_current!(entries, "$7")
        )
    );
    let query = bound(
        text,
        (
            pool,
            players,
            end.position,
            end.written.map_or(0, |generation| generation.0),
            end.active,
            chunks,
            end.written.unwrap_or(end.active).0,
        ),
    )
    // The position of a row without entries, which only hides rows of other generations.
    .bind(i64::MAX);
    let mut found = read_all(connection, query, record).await?;
    for chunk in &mut found {
        if Some(chunk.generation) != end.written {
            chunk.entries.retain(|entry| entry.position < end.position);
        }
    }
    Ok(found)
}

pub(crate) fn record(row: &Row) -> Result<EntryChunk, StoreError> {
    let row = Fields::of(row, "entries");
    let (player, chunk) = (row.player("player_id")?, row.number("chunk")?);
    Ok(EntryChunk {
        player,
        chunk,
        generation: Generation(row.get("generation")?),
        latest: row.time("ended_to")?,
        entries: content::to_entries(player, chunk, row.get("content")?)?,
    })
}

/// Returns for each player the stored row of entries (rated rounds) that contains the last entry up to log position
/// `position`. A row holds several entries of a player. For a player without an entry by then, returns none or only
/// later ones.
///
/// # Design
/// All rows come as one text, for the reason given in [`super::super::players::listed_after`].
pub(crate) async fn around(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
    position: u64,
) -> Result<Vec<Entry>, StoreError> {
    let text = concat!(
        "select string_agg(
             players.player_id || ' ' || players.entries || ' ' || coalesce(",
        digits_of!("last_entries"),
        ", '') || ' ' || coalesce((
                 select chunk || ' ' || ",
        digits_of!("content"),
        " from entries
                 where entries.pool_id = $1 and entries.player_id = players.player_id
                       and entries.first_position <= $3 and",
        is_current!(entries, active_generation!()),
        " order by chunk desc limit 1
             ), '-'), '\n')",
        wanted_numbers!(),
        join_one!(
            players,
            of_pool_players!(),
            "and players.player_id = wanted.number"
        )
    );
    let query = bound(text, (pool, players, position));
    let lines: Option<String> = read_value(connection, query).await?;
    let mut entries = Vec::new();
    for line in lines.unwrap_or_default().split_terminator('\n') {
        entries.append(&mut listed_player::read_entries(line, position)?);
    }
    Ok(entries)
}

pub(crate) fn player(row: &Row) -> Result<PlayerId, StoreError> {
    Fields::of(row, "entries").player("player_id")
}
