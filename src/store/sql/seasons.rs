//! Queries for seasons, and for the standings at their ends.

use super::ranks::key;
use super::{Connection, Fields, Row, bound, execute, read_all};
use crate::domain::{PlayerId, Rating};
use crate::store::{CalendarCheck, PoolId, SeasonStanding, StoreError};

pub(crate) async fn ranked(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<u64, StoreError> {
    // Number of players with the last rank, and of those before them. The index gives both quickly, however many
    // players there are.
    let text = "select rank - 1 + (select count(*) from season_standings as equals
                            where equals.pool_id = $1 and equals.position = $2 and equals.rank = last.rank) as ranked
         from season_standings as last
         where pool_id = $1 and position = $2 and rank is not null order by rank desc limit 1";
    let query = bound(text, (pool, position));
    let ranked = read_all(connection, query, |row| {
        Fields::of(row, "season_standings").number("ranked")
    });
    Ok(ranked.await?.into_iter().next().unwrap_or(0))
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
    let text = select!(
        season_standings,
        "from season_standings
         where pool_id = $1 and position = $2 and rank >= $6
             and rating <= $3 and (rating < $3 or player_id > $4)
         order by rank, player_id limit $5"
    );
    let query = bound(text, (pool, position, rating, player, limit, rank));
    read_all(connection, query, record).await
}

pub(crate) const OF_PLAYERS: &str = select!(
    season_standings,
    "from season_standings where pool_id = $1 and player_id",
    is_wanted!("$2"),
    "order by position"
);

pub(crate) fn with_position(row: &Row) -> Result<(u64, SeasonStanding), StoreError> {
    let position = Fields::of(row, "season_standings").number("position")?;
    Ok((position, record(row)?))
}

pub(crate) const DELETE_OF: &str = concat!(
    "delete from season_standings where pool_id = $1 and position = $2 and player_id",
    is_wanted!("$3")
);

pub(crate) async fn calendar_check(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<Option<CalendarCheck>, StoreError> {
    let query = "select calendar_looked_at, calendar_months from pools where id = $1";
    let look = read_all(connection, bound(query, (pool,)), |row| {
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
    let values = (
        pool,
        look.map(|look| look.at.unix_micros()),
        look.map(|look| i64::from(look.months)),
    );
    execute(connection, bound(query, values)).await
}

pub(crate) fn record(row: &Row) -> Result<SeasonStanding, StoreError> {
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

/// Reads the log position at which a season ended, and its numbers of rated and ranked players.
pub(crate) fn counts(row: &Row) -> Result<(u64, u64, u64), StoreError> {
    let row = Fields::of(row, "season_standings");
    let (played, ranked) = (row.number("played")?, row.number("ranked")?);
    Ok((row.number("position")?, played, ranked))
}
