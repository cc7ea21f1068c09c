use super::{Connection, Fields, Row, bound, execute, read_all, read_first, read_value};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::{PlayerState, RatingCount, Totals};
use crate::store::{EntryChunk, Generation, ListedPlayer, PlayerCounts, PoolId, StoreError};

pub(crate) async fn count(
    connection: &mut Connection,
    pool: PoolId,
    shadow_rounds: u32,
    stale_before: Timestamp,
) -> Result<PlayerCounts, StoreError> {
    let text = concat!(
        "select count(*) as total,
                count(*) filter (where rounds < $2) as hidden,
                count(*) filter (where last_played < $3) as stale
         from players where",
        of_pool_players!(),
    );
    let query = bound(text, (pool, shadow_rounds, stale_before));
    let row = query.fetch_one(connection).await?;
    let row = Fields::of(&row, "players");
    Ok(PlayerCounts {
        total: row.number("total")?,
        hidden: row.number("hidden")?,
        stale: row.number("stale")?,
    })
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

pub(crate) const FIND: &str = select!(players, from_wanted_players!());

pub(crate) const FIND_WITH_LAST_ROWS: &str =
    select!([players, last_entries], from_wanted_players!());

pub(crate) fn with_last_row(row: &Row) -> Result<(PlayerState, EntryChunk), StoreError> {
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
    let text = select!(
        players,
        "from players where",
        of_pool_players!(),
        "and player_id > $2 order by player_id limit $3"
    );
    let values = (
        pool,
        last.map_or(0, PlayerId::steam_id64).cast_signed(),
        limit,
    );
    read_all(connection, bound(text, values), record).await
}

pub(crate) const DELETE: &str = concat!(
    "delete from players where pool_id = $1 and generation = coalesce($2, ",
    players_generation!(),
    ") and player_id",
    is_wanted!("$3")
);

pub(crate) async fn copy(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let after = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let text = concat!(
        "select max(player_id) as player_id from (select player_id from players where",
        of_pool_players!(),
        " and player_id > $2 order by player_id limit $3) as some_players"
    );
    let query = bound(text, (pool, after, limit));
    let last = read_first(connection, query, |row| {
        Fields::of(row, "players").optional("player_id", Fields::player)
    });
    let Some(last) = last.await?.flatten() else {
        return Ok(None);
    };
    let text = concat!(
        insert_into!(players),
        "$2, ",
        columns!(players),
        ", ",
        columns!(last_entries),
        " from players where",
        of_pool_players!(),
        " and player_id > $3 and player_id <= $4
         on conflict (pool_id, generation, player_id) do nothing"
    );
    execute(connection, bound(text, (pool, generation, after, last))).await?;
    Ok(Some(last))
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
    let query = bound(text, (pool, limit));
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
    let text = concat!(
        "select string_agg(
             player_id || ' ' || rating || ' ' || rounds || ' ' || entries || ' ' ||
             coalesce(cast(last_played as text), '-') || ' ' || expected_total || ' ' ||
             score_halves_total, '\n' order by player_id)
         from (select * from players where",
        of_pool_players!(),
        " and player_id > $2 order by player_id limit $3) as players",
    );
    let values = (
        pool,
        last.map_or(0, PlayerId::steam_id64).cast_signed(),
        limit,
    );
    let lines: String = read_value(connection, bound(text, values))
        .await?
        .unwrap_or_default();
    lines
        .split_terminator('\n')
        .map(ListedPlayer::read)
        .collect()
}

pub(crate) fn rating_count(row: &Row) -> Result<RatingCount, StoreError> {
    let row = Fields::of(row, "players");
    Ok(RatingCount {
        rating: row.rating("rating")?,
        players: row.number("players")?,
        hidden: row.number("hidden")?,
    })
}
