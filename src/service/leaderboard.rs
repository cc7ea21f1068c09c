use std::sync::Arc;

use super::players::names::Names;
use super::players::past::{Past, Rated};
use super::players::ranks::{Ranks, ranked_at};
use super::seasons::placing::Placing;
use super::seasons::standings::{current_season, find_season, standings_page};
use super::{Pool, Service, ServiceError};
use crate::api::pagination::{RankPlace, page};
use crate::api::{
    DivisionAnswer, LeaderboardAnswer, PlayerCardAnswer, PlayerHistoryAnswer, ProfileAnswer,
    RankedPlayerAnswer, RatingBinAnswer,
};
use crate::domain::{PlayerDisplayName, PlayerId, PoolName, Timestamp};
use crate::rating::PlayerState;
use crate::store::{StoreError, Tx};

/// Period over which the leaderboard shows changes of ratings, in days.
pub(super) const CHANGE_DAYS: u32 = 30;
/// Maximum number of samples in a player's rating history on a public page.
const PUBLIC_POINTS: u32 = 300;

const MAX_FOUND: u32 = 100;
/// Maximum number of characters of a text by which players are searched; the rest is ignored.
const MAX_SEARCH: usize = 128;

/// Start of a page of a leaderboard: after a given player, or at a given rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PageStart {
    /// Page that starts after the player at the given place of the leaderboard; at the top for `None`.
    Behind(Option<RankPlace>),
    /// Page that starts at the first player whose rank is the given number or a larger one (1 is the best).
    Rank(u32),
}

/// Page of a pool's public leaderboard.
#[derive(Clone, Debug)]
pub struct PublicLeaderboard {
    /// Time at which the page of the leaderboard was computed.
    pub computed_at: Timestamp,
    /// Number of the pool's players with a rank.
    pub ranked: u64,
    /// Number of ranked players on earlier pages: a multiple of [`PublicLeaderboard::PLAYERS`].
    pub before: u64,
    /// Players on the page of the leaderboard, highest rating first.
    pub players: Vec<RankedPlayerAnswer>,
    /// Histogram of the ratings of all ranked players, ascending.
    pub distribution: Vec<RatingBinAnswer>,
    /// Divisions of the leaderboard, highest first.
    pub divisions: Vec<DivisionAnswer>,
}

impl PublicLeaderboard {
    /// Maximum number of players on a page of the public leaderboard.
    pub const PLAYERS: u32 = 40;
}

/// Public page of a player. The pool's settings decide which parts of the data are shown.
#[derive(Clone, Debug)]
pub struct PublicPlayer {
    /// Rating, rank and recent rounds of the player.
    pub profile: ProfileAnswer,
    /// Course of the player's rating, in log order.
    pub history: PlayerHistoryAnswer,
    /// K-factor: the most points by which the next round can move the player's rating.
    pub k: f64,
}

impl Service {
    /// Returns up to `limit` ranked players of `pool`, highest rating first. For a `season` that ended, returns the
    /// final standings. Players past the shadow period who are not stale have a rank; equal ratings share a rank.
    pub async fn leaderboard(
        &self,
        pool: &Pool,
        season: Option<u32>,
        start: PageStart,
        limit: u32,
    ) -> Result<LeaderboardAnswer, ServiceError> {
        let now = self.clock.now();
        let ranked = ranked_at(now, &pool.settings.parameters);
        let mut tx = self.store.begin_read().await?;
        let season = match season {
            Some(number) => find_season(&mut tx, pool, number).await?,
            None => current_season(&mut tx, pool).await?,
        };
        if let Some(end) = &season.end {
            return standings_page(&mut tx, pool, (&season, end), (start, limit)).await;
        }
        let ranks = Ranks::of(tx.ranked_ratings(pool.id, ranked).await?);
        let found = match start {
            PageStart::Behind(after) => {
                let after = after.map(|RankPlace(rating, player)| (rating, player));
                tx.ranked_after(pool.id, ranked, after, limit + 1).await?
            }
            PageStart::Rank(rank) => {
                let before = ranks.before_rank(rank.into());
                tx.ranked_from(pool.id, ranked, before, limit + 1).await?
            }
        };
        let (found, next) = page(found, limit, |last| RankPlace(last.rating, last.id));
        Ok(LeaderboardAnswer {
            pool: pool.name.clone(),
            season: season.number,
            season_name: season.name().cloned(),
            computed_at: now,
            ranked: ranks.count(),
            players: listed(&mut tx, pool, (now, &ranks), &found).await?,
            next,
        })
    }

    /// Returns the page of the public leaderboard that contains place `from` (1 is the first), or the last page.
    /// Answers are cached. The pool must come from [`Service::public_pools`] or [`Service::public_pool`].
    pub async fn public_leaderboard(
        &self,
        pool: &Pool,
        from: u64,
    ) -> Result<Arc<PublicLeaderboard>, ServiceError> {
        let number = from.saturating_sub(1) / u64::from(PublicLeaderboard::PLAYERS);
        let read = self.leaderboard_page(pool, number);
        pool.public_leaderboards
            .get(self, &number, Box::pin(read))
            .await
    }

    /// Returns page `number` (from 0) of the pool's public leaderboard, or the last page if there are fewer.
    async fn leaderboard_page(
        &self,
        pool: &Pool,
        number: u64,
    ) -> Result<PublicLeaderboard, ServiceError> {
        let now = self.clock.now();
        let ranked = ranked_at(now, &pool.settings.parameters);
        let size = u64::from(PublicLeaderboard::PLAYERS);
        let mut tx = self.store.begin_read().await?;
        let ranks = Ranks::of(tx.ranked_ratings(pool.id, ranked).await?);
        let last = ranks.count().saturating_sub(1) / size;
        let before = number.min(last) * size;
        let found = tx
            .ranked_from(pool.id, ranked, before, PublicLeaderboard::PLAYERS)
            .await?;
        Ok(PublicLeaderboard {
            computed_at: now,
            ranked: ranks.count(),
            before,
            players: listed(&mut tx, pool, (now, &ranks), &found).await?,
            distribution: ranks.distribution(),
            divisions: ranks.divisions(&pool.settings.leaderboard),
        })
    }

    /// Returns the public page of a player. Answers are cached.
    ///
    /// # Errors
    /// Returns [`ServiceError::NoPublicPage`] if the pool shows no such pages, and for unknown and hidden players.
    pub async fn public_player(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<Arc<PublicPlayer>, ServiceError> {
        if !pool.settings.leaderboard.has_player_pages() {
            return Err(ServiceError::NoPublicPage);
        }
        let read = async {
            Ok(PublicPlayer {
                profile: self.player_profile(pool, id).await?,
                history: self
                    .get_player_history(pool, id, None, PUBLIC_POINTS)
                    .await?,
                k: self.get_player_details(pool, id).await?.k,
            })
        };
        let found = pool.public_players.get(self, &id, Box::pin(read)).await?;
        let profile = &found.profile;
        let is_shown = profile.player.rounds > 0 && !profile.id_hidden;
        is_shown.then_some(found).ok_or(ServiceError::NoPublicPage)
    }

    /// Returns the pools with a public leaderboard.
    #[must_use]
    pub fn public_pools(&self) -> Vec<Arc<Pool>> {
        let mut pools = self.all_pools();
        pools.retain(|pool| pool.settings.leaderboard.is_public());
        pools
    }

    /// Returns the pool of this name, or else the pool `default`.
    pub fn public_pool(&self, name: Option<&PoolName>) -> Result<Arc<Pool>, ServiceError> {
        self.pool(name, None)
            .ok()
            .filter(|pool| pool.settings.leaderboard.is_public())
            .ok_or(ServiceError::NoPublicPage)
    }

    /// Returns the public pool to show first: `default` if anybody has a rank there, or else the pool with the most
    /// ranked players.
    pub async fn first_public_pool(&self) -> Result<Arc<Pool>, ServiceError> {
        let mut ranked = Vec::new();
        for pool in self.public_pools() {
            let players = self.public_leaderboard(&pool, 1).await?.ranked;
            let is_default = pool.name == PoolName::default();
            ranked.push(((is_default && players > 0, players, is_default), pool));
        }
        let first = ranked.into_iter().max_by_key(|(order, _)| *order);
        first
            .map(|(_, pool)| pool)
            .ok_or(ServiceError::NoPublicPage)
    }

    /// Returns the players of `pool` whose id or name matches `text`. Answers are cached. The pool must come from
    /// [`Service::public_pool`] or [`Service::first_public_pool`].
    pub async fn public_search(
        &self,
        pool: &Pool,
        text: &str,
    ) -> Result<Arc<Vec<PlayerCardAnswer>>, ServiceError> {
        let text: String = text.chars().take(MAX_SEARCH).collect();
        let read = async {
            let mut tx = self.store.begin_read().await?;
            let name = PlayerDisplayName::clean(&text).filter(|_| pool.settings.leaderboard.names);
            let ids = match (text.parse::<PlayerId>(), name) {
                (Ok(id), _) => vec![id],
                (Err(_), Some(name)) => tx.search_player_names(&name.folded(), MAX_FOUND).await?,
                (Err(_), None) => Vec::new(),
            };
            let names = Names::of(&mut tx, ids.clone()).await?;
            let cards = self.player_cards(&mut tx, pool, &ids).await?;
            // A search must not reveal the id of a player whose id is hidden.
            let found = cards.into_iter();
            Ok(found
                .filter(|card| card.rounds > 0 && !names.hides_id(card.id))
                .collect())
        };
        pool.public_searches.get(self, &text, Box::pin(read)).await
    }
}

async fn listed(
    tx: &mut Tx,
    pool: &Pool,
    (now, ranks): (Timestamp, &Ranks),
    found: &[PlayerState],
) -> Result<Vec<RankedPlayerAnswer>, StoreError> {
    let ids: Vec<PlayerId> = found.iter().map(|player| player.id).collect();
    let moment = now.days_earlier(CHANGE_DAYS);
    let rated: Vec<Rated> = found.iter().map(Rated::from).collect();
    let end = tx.pool(pool.id).await?.log_length;
    let past = Past::at(tx, pool, moment, end)
        .await?
        .ratings(tx, &rated)
        .await?;
    let placing = Placing::of(tx, pool.id, &ids).await?;
    let names = Names::of(tx, ids).await?;
    let player = |record: &PlayerState| {
        let better = ranks.better(record.rating);
        let division = pool.settings.leaderboard.division(better, ranks.count());
        let before = past.get(&record.id).map_or(record.rating, |rating| *rating);
        RankedPlayerAnswer {
            rank: better + 1,
            id: record.id,
            name: names.of_player(record.id),
            id_hidden: names.hides_id(record.id),
            rating: record.rating,
            division: division.map(str::to_owned),
            rounds: record.rounds,
            placing_rounds: placing.rounds_left(record),
            change_30_days: Some(record.rating.points() - before.points()),
            last_played: record.last_played,
        }
    };
    Ok(found.iter().map(player).collect())
}
