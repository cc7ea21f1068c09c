//! Standings of players in seasons that have ended.

use super::{Season, seasons};
use crate::api::pagination::{RankPlace, page};
use crate::api::{LeaderboardAnswer, PastSeasonAnswer, RankedPlayerAnswer};
use crate::domain::PlayerId;
use crate::service::players::names::Names;
use crate::service::{PageStart, Pool, ServiceError};
use crate::store::{Change, StoreError, Tx};

pub(crate) async fn find_season(
    tx: &mut Tx,
    pool: &Pool,
    number: u32,
) -> Result<Season, ServiceError> {
    let all = seasons(&tx.season_starts(pool.id).await?);
    let last = all.last().map_or(0, |last| last.number);
    let found = all.into_iter().find(|season| season.number == number);
    found.ok_or_else(|| ServiceError::NoSuchSeason {
        pool: pool.name.clone(),
        number,
        last,
    })
}

pub(crate) async fn current_season(tx: &mut Tx, pool: &Pool) -> Result<Season, StoreError> {
    let all = seasons(&tx.season_starts(pool.id).await?);
    Ok(all.into_iter().next_back().unwrap_or_default())
}

/// Returns a page of ranked players of a past season, highest rating first. `end` is the start of the next season.
pub(crate) async fn standings_page(
    tx: &mut Tx,
    pool: &Pool,
    (season, end): (&Season, &Change),
    (start, limit): (PageStart, u32),
) -> Result<LeaderboardAnswer, ServiceError> {
    let ranked = tx.season_ranked(pool.id, end.position).await?;
    let (after, rank) = match start {
        PageStart::Behind(after) => (after, 1),
        PageStart::Rank(rank) => (None, rank),
    };
    let after = after.map(|RankPlace(rating, player)| (rating, player));
    let found = tx.season_ranked_after(pool.id, end.position, after, rank, limit + 1);
    let (found, next) = page(found.await?, limit, |last| {
        RankPlace(last.rating, last.player)
    });
    let names = Names::of(tx, found.iter().map(|one| one.player).collect()).await?;
    let players = found.iter().map(|one| {
        let rank = one.rank.unwrap_or_default();
        let division = pool
            .settings
            .leaderboard
            .division(rank.saturating_sub(1), ranked);
        RankedPlayerAnswer {
            rank,
            id: one.player,
            name: names.of_player(one.player),
            id_hidden: names.hides_id(one.player),
            rating: one.rating,
            division: division.map(str::to_owned),
            rounds: u32::try_from(one.season_rounds).unwrap_or(u32::MAX),
            placing_rounds: 0,
            change_30_days: None,
            last_played: None,
        }
    });
    Ok(LeaderboardAnswer {
        pool: pool.name.clone(),
        season: season.number,
        season_name: season.name().cloned(),
        computed_at: end.made_at,
        ranked,
        players: players.collect(),
        next,
    })
}

/// Returns the player's standing at the end of each season in which the player had rounds, latest first.
pub(crate) async fn past_seasons(
    tx: &mut Tx,
    pool: &Pool,
    player: PlayerId,
) -> Result<Vec<PastSeasonAnswer>, StoreError> {
    let all = seasons(&tx.season_starts(pool.id).await?);
    if all.len() == 1 {
        return Ok(Vec::new());
    }
    let standings = tx.season_standings_of(pool.id, &[player]).await?;
    let past = all.iter().rev().filter_map(|season| {
        let end = season.end.as_ref()?;
        let its = standings.iter().find(|(at, _)| *at == end.position);
        let (_, standing) = its.filter(|(_, one)| one.season_rounds > 0)?;
        Some(PastSeasonAnswer {
            number: season.number,
            name: season.name().cloned(),
            ended_at: end.made_at,
            rank: standing.rank,
            rating: standing.rating,
            rounds: u32::try_from(standing.season_rounds).unwrap_or(u32::MAX),
        })
    });
    Ok(past.collect())
}
