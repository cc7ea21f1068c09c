//! Queries for scoreboards, and for past games of players.

use super::super::rounds;
use super::super::{Fields, Row};
use crate::domain::{PlayerId, RoundParts, Timestamp};
use crate::store::{StoreError, scoreboard_content};

/// Returns the report in a row of `rounds`, with its scoreboard.
pub(crate) fn whole_report(row: Fields<'_>) -> Result<RoundParts, StoreError> {
    let parts: RoundParts = row.json("report")?;
    let Some(content) = row.get::<Option<&[u8]>>("scoreboard")? else {
        return Ok(parts);
    };
    let scoreboard = scoreboard_content::to_scoreboard(content)?;
    let whole = parts.with_scoreboard(scoreboard);
    whole.ok_or_else(|| crate::store::corrupt("scoreboards", "content"))
}

pub(crate) const LAST_UNRATED: &str = concat!(
    "select unrated_players.player_id, unrated_players.position",
    wanted_numbers!(),
    join_many!(
        unrated_players,
        "unrated_players.pool_id = $1 and unrated_players.player_id = wanted.number
             and unrated_players.position >= coalesce(
                 (select latest.position from unrated_players as latest
                  where latest.pool_id = $1 and latest.player_id = wanted.number
                        and exists (select 1 from rounds
                                    where rounds.pool_id = $1 and rounds.position = latest.position
                                          and rounds.voided_at is null)
                  order by latest.position desc limit 1 offset $3 - 1), 0)"
    )
);

pub(crate) fn unrated(row: &Row) -> Result<(PlayerId, u64), StoreError> {
    let row = Fields::of(row, "unrated_players");
    Ok((row.player("player_id")?, row.number("position")?))
}

pub(crate) const REPORTS_AT: &str = concat!(
    "select rounds.position, rounds.ended_at, rounds.report, rounds.corrected_winner, ",
    scoreboard!(),
    wanted_numbers!(),
    join_one!(
        rounds,
        "rounds.pool_id = $1 and rounds.position = wanted.number
             and rounds.voided_at is null and rounds.position > ",
        pruned_position!()
    )
);

pub(crate) fn report(row: &Row) -> Result<(u64, Timestamp, RoundParts), StoreError> {
    let row = Fields::of(row, "rounds");
    let (position, ended_at) = (row.number("position")?, row.time("ended_at")?);
    let mut report = whole_report(row)?;
    report.winner = rounds::corrected_winner(row)?.unwrap_or(report.winner);
    Ok((position, ended_at, report))
}
