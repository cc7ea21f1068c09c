use std::sync::Arc;
use std::time::Instant;

use super::last_failure::LastFailure;
use super::players::names::Names;
use super::players::past::ratings_at;
use super::standby::Reading;
use super::{Pool, Service, ServiceError};
use crate::api::pagination::{RankPlace, page};
use crate::api::{LeaderboardAnswer, RankedPlayerAnswer};
use crate::store::{PlayerRecord, PoolId, Ranked, StoreError, Tx};

/// How far back a change of rating looks.
pub(super) const CHANGE_DAYS: u32 = 30;
/// How many players everybody is shown.
const SHOWN: u32 = 100;
/// How many seconds everybody is shown the same.
const CACHED_SECONDS: i64 = 15;

/// The leaderboard that everybody was shown last, and why there is no later one.
#[derive(Debug, Default)]
pub(super) struct CachedLeaderboard {
    shown: Option<Arc<Reading<LeaderboardAnswer>>>,
    failure: LastFailure,
}

impl Service {
    /// Up to `limit` players of `pool` who have a rank, the highest rating first, from behind `after`
    /// on. Whoever is out of the shadow period and not stale has a rank; equal ratings have the same.
    pub async fn leaderboard(
        &self,
        pool: &Pool,
        after: Option<RankPlace>,
        limit: u32,
    ) -> Result<LeaderboardAnswer, ServiceError> {
        let now = self.clock.now();
        let parameters = &pool.settings.parameters;
        let ranked = Ranked {
            shadow_rounds: parameters.shadow_rounds,
            stale_before: now.days_earlier(parameters.stale_days),
        };
        let after = after.map(|RankPlace(rating, player)| (rating, player));
        let mut tx = self.store.begin_read().await?;
        let count = tx.count_ranked(pool.id, ranked).await?;
        let found = tx.ranked_after(pool.id, ranked, after, limit + 1).await?;
        let (found, next) = page(found, limit, |last| RankPlace(last.rating, last.id));
        let ranks = ranks(&mut tx, pool.id, ranked, &found).await?;
        let past = now.days_earlier(CHANGE_DAYS);
        let past = ratings_at(&mut tx, pool, &found, past).await?;
        let names = Names::of(&mut tx, found.iter().map(|player| player.id).collect()).await?;
        let player = |(record, rank): (&PlayerRecord, u64)| {
            let division = pool.settings.leaderboard.division(rank - 1, count);
            let before = past.get(&record.id).map_or(record.rating, |rating| *rating);
            RankedPlayerAnswer {
                rank,
                id: record.id,
                name: names.of_player(record.id),
                id_hidden: names.hides_id(record.id),
                rating: record.rating,
                division: division.map(str::to_owned),
                rounds: record.rounds,
                change_30_days: record.rating.points() - before.points(),
                last_played: record.last_played,
            }
        };
        Ok(LeaderboardAnswer {
            pool: pool.name.clone(),
            computed_at: now,
            ranked: count,
            players: found.iter().zip(ranks).map(player).collect(),
            next,
        })
    }

    /// The best players of `pool` as everybody is shown them: computed once for all who ask within some
    /// seconds. While the database is away, it is the one that was shown last.
    pub async fn public_leaderboard(
        &self,
        pool: &Pool,
    ) -> Result<Arc<Reading<LeaderboardAnswer>>, ServiceError> {
        if !pool.settings.leaderboard.is_public() {
            return Err(ServiceError::NoPublicLeaderboard);
        }
        // Whoever comes while it is computed waits for it, and computes nothing.
        let mut cached = pool.leaderboard.lock().await;
        if let Some(shown) = &cached.shown {
            let computed_at = shown.value.computed_at;
            let age = self.clock.now().whole_seconds_since(computed_at);
            if (0..CACHED_SECONDS).contains(&age) {
                return Ok(Arc::clone(shown));
            }
        }
        let read = async |reader: Self| reader.leaderboard(pool, None, SHOWN).await;
        let error = match cached.failure.recent(Instant::now()) {
            Some(error) => error,
            None => match self.read(read).await {
                Ok(computed) => {
                    let computed = Arc::new(computed);
                    cached.shown = Some(Arc::clone(&computed));
                    return Ok(computed);
                }
                Err(error) => {
                    tracing::warn!(error = ?error, pool = %pool.name, "The leaderboard cannot be computed");
                    cached.failure.remember(Instant::now(), error.clone());
                    error
                }
            },
        };
        match &cached.shown {
            Some(shown) if matches!(error, ServiceError::Unavailable(_)) => Ok(Arc::clone(shown)),
            _ => Err(error),
        }
    }
}

/// The ranks of players who follow one another in the list.
async fn ranks(
    tx: &mut Tx,
    pool: PoolId,
    ranked: Ranked,
    players: &[PlayerRecord],
) -> Result<Vec<u64>, StoreError> {
    let Some(first) = players.first() else {
        return Ok(Vec::new());
    };
    let (better, listed) = tx
        .ranked_before(pool, ranked, (first.rating, first.id))
        .await?;
    let mut last = (first.rating, better + 1);
    let rank = |(player, place): (&PlayerRecord, u64)| {
        if player.rating != last.0 {
            last = (player.rating, place);
        }
        last.1
    };
    Ok(players.iter().zip(listed + 1..).map(rank).collect())
}
