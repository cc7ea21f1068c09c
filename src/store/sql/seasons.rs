//! Queries for seasons, and for the standings at their ends.

use super::ranks::key;
use super::{Connection, Fields, Row, changes, execute, numbers, read_all};
use crate::domain::{PlayerId, Rating};
use crate::store::{CalendarCheck, Change, PoolId, SeasonStanding, StoreError};

/// SQL text from `from` on for the season starts of the pool `$1` that are not undone.
macro_rules! from_starts {
    () => {
        "from changes where pool_id = $1 and kind = 'season' and not exists (
             select 1 from changes as undo where undo.pool_id = changes.pool_id
                 and undo.round_position = changes.position and undo.kind = 'undo')"
    };
}

pub(crate) async fn starts(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(select!(changes, from_starts!(), "order by position"));
    read_all(connection, query.bind(pool.0), changes::record).await
}

pub(crate) async fn counts(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Vec<(u64, u64, u64)>, StoreError> {
    let query = sqlx::query(
        "select position, count(*) filter (where season_rounds > 0) as played, count(rank) as ranked
         from season_standings where pool_id = $1 group by position",
    );
    read_all(connection, query.bind(pool.0), |row| {
        let row = Fields::of(row, "season_standings");
        Ok((
            row.number("position")?,
            row.number("played")?,
            row.number("ranked")?,
        ))
    })
    .await
}

pub(crate) async fn ranked(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<u64, StoreError> {
    // Number of players with the last rank, and of those before them. The index gives both quickly, however many
    // players there are.
    let query = sqlx::query(
        "select rank - 1 + (select count(*) from season_standings as equals
                            where equals.pool_id = $1 and equals.position = $2 and equals.rank = last.rank) as ranked
         from season_standings as last
         where pool_id = $1 and position = $2 and rank is not null order by rank desc limit 1",
    )
    .bind(pool.0)
    .bind(position.cast_signed());
    let ranked = read_all(connection, query, |row| {
        Fields::of(row, "season_standings").number("ranked")
    });
    Ok(ranked.await?.into_iter().next().unwrap_or(0))
}

pub(crate) async fn standings(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<Vec<SeasonStanding>, StoreError> {
    let query = sqlx::query(select!(
        season_standings,
        "from season_standings where pool_id = $1 and position = $2 order by player_id"
    ))
    .bind(pool.0)
    .bind(position.cast_signed());
    read_all(connection, query, record).await
}

pub(crate) async fn ranked_after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    last: Option<(Rating, PlayerId)>,
    rank: u32,
    limit: u32,
) -> Result<Vec<SeasonStanding>, StoreError> {
    let (rating, player) = key(last);
    let query = sqlx::query(select!(
        season_standings,
        "from season_standings
         where pool_id = $1 and position = $2 and rank >= $6
             and rating <= $3 and (rating < $3 or player_id > $4)
         order by rank, player_id limit $5"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(rating)
    .bind(player)
    .bind(i64::from(limit))
    .bind(i64::from(rank));
    read_all(connection, query, record).await
}

pub(crate) async fn of_players(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
) -> Result<Vec<(u64, SeasonStanding)>, StoreError> {
    let query = sqlx::query(select!(
        season_standings,
        "from season_standings where pool_id = $1 and player_id",
        is_wanted!("$2"),
        "order by position"
    ))
    .bind(pool.0)
    .bind(numbers(players.iter().map(|player| player.steam_id64())));
    read_all(connection, query, |row| {
        let position = Fields::of(row, "season_standings").number("position")?;
        Ok((position, record(row)?))
    })
    .await
}

pub(crate) async fn delete(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from season_standings where pool_id = $1 and position = $2");
    execute(connection, query.bind(pool.0).bind(position.cast_signed())).await
}

pub(crate) async fn delete_of(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    players: &[PlayerId],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        "delete from season_standings where pool_id = $1 and position = $2 and player_id",
        is_wanted!("$3")
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(numbers(players.iter().map(|player| player.steam_id64())));
    execute(connection, query).await
}

pub(crate) async fn calendar_check(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Option<CalendarCheck>, StoreError> {
    let query = "select calendar_looked_at, calendar_months from pools where id = $1";
    let look = read_all(connection, sqlx::query(query).bind(pool.0), |row| {
        let row = Fields::of(row, "pools");
        let at = row.optional("calendar_looked_at", Fields::time)?;
        let months = row.optional("calendar_months", Fields::number)?;
        Ok(at
            .zip(months)
            .map(|(at, months)| CalendarCheck { at, months }))
    });
    Ok(look.await?.into_iter().flatten().next())
}

pub(crate) async fn set_calendar_look(
    connection: &mut Connection,
    pool: PoolId,
    look: Option<CalendarCheck>,
) -> Result<(), StoreError> {
    let query = "update pools set calendar_looked_at = $2, calendar_months = $3 where id = $1";
    let query = sqlx::query(query)
        .bind(pool.0)
        .bind(look.map(|look| look.at.unix_micros()))
        .bind(look.map(|look| i64::from(look.months)));
    execute(connection, query).await
}

fn record(row: &Row) -> Result<SeasonStanding, StoreError> {
    let row = Fields::of(row, "season_standings");
    Ok(SeasonStanding {
        player: row.player("player_id")?,
        rank: row.optional("rank", Fields::number)?,
        rating: row.rating("rating")?,
        rounds: row.number("rounds")?,
        season_rounds: row.number("season_rounds")?,
        entries: row.number("entries")?,
    })
}
