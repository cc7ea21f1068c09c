use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Mutex;

use super::last_failure::LastFailure;
use super::players::past::ratings_at;
use super::{Pool, Service, ServiceError};
use crate::api::PlayerAnswer;
use crate::api::pagination::RankPlace;
use crate::domain::{PoolName, Timestamp};
use crate::store::{PlayerRecord, PoolId, Ranked, StoreError, Tx};

/// How far back a change of rating looks.
const CHANGE_DAYS: u32 = 30;
/// How many players everybody is shown.
const SHOWN: u32 = 100;
/// How many seconds everybody is shown the same.
const HELD_SECONDS: i64 = 15;

/// Players by rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaderboard {
    /// When it was so.
    pub computed_at: Timestamp,
    /// How many players have a rank.
    pub ranked: u64,
    /// The players, the highest rating first.
    pub players: Vec<RankedPlayer>,
    /// Where to go on; `None` at the end.
    pub next: Option<RankPlace>,
}

/// A player who has a rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPlayer {
    /// One more than there are players with a higher rating.
    pub rank: u64,
    /// The player.
    pub view: PlayerAnswer,
    /// The division, where there are any.
    pub division: Option<String>,
    /// The rating less what was shown 30 days ago, or less the initial one, in points: what came late
    /// counts in.
    pub change: i32,
}

/// The leaderboards that everybody was shown last.
#[derive(Clone, Debug)]
pub(super) struct CachedLeaderboards(Arc<BTreeMap<PoolName, Held>>);

type Held = Mutex<LastTry>;

/// What was shown last, and why nothing later is.
#[derive(Debug, Default)]
struct LastTry {
    shown: Option<Arc<Leaderboard>>,
    failure: LastFailure,
}

impl CachedLeaderboards {
    /// Room for those of `pools`.
    pub(super) fn of(pools: impl Iterator<Item = PoolName>) -> Self {
        Self(Arc::new(
            pools.map(|pool| (pool, Held::default())).collect(),
        ))
    }
}

impl Service {
    /// Up to `limit` players of `pool` who have a rank, the highest rating first, from behind `after`
    /// on. A rank has who is out of the shadow period and not stale; equal ratings have the same.
    pub async fn leaderboard(
        &self,
        pool: &Pool,
        after: Option<RankPlace>,
        limit: u32,
    ) -> Result<Leaderboard, ServiceError> {
        let now = self.clock.now();
        let parameters = &pool.settings.parameters;
        let ranked = Ranked {
            shadow_rounds: parameters.shadow_rounds,
            stale_before: now.days_earlier(parameters.stale_days),
        };
        let after = after.map(|RankPlace(rating, player)| (rating, player));
        let mut tx = self.store.begin_read().await?;
        let count = tx.count_ranked(pool.id, ranked).await?;
        // One more than is shown tells whether there is a next page.
        let mut found = tx.ranked_after(pool.id, ranked, after, limit + 1).await?;
        let is_last = found.len() <= limit as usize;
        found.truncate(limit as usize);
        let last = found.last().filter(|_| !is_last);
        let next = last.map(|last| RankPlace(last.rating, last.id));
        let ranks = ranks(&mut tx, pool.id, ranked, &found).await?;
        let past = now.days_earlier(CHANGE_DAYS);
        let past = ratings_at(&mut tx, pool, &found, past).await?;
        let player = |(record, rank): (&PlayerRecord, u64)| {
            let division = pool.settings.leaderboard.division(rank - 1, count);
            let before = past.get(&record.id).map_or(record.rating, |rating| *rating);
            RankedPlayer {
                rank,
                view: self.player_answer(pool, record),
                division: division.map(str::to_owned),
                change: record.rating.points() - before.points(),
            }
        };
        Ok(Leaderboard {
            computed_at: now,
            ranked: count,
            players: found.iter().zip(ranks).map(player).collect(),
            next,
        })
    }

    /// The best players of `pool` as everybody is shown them: computed once for all who ask within some
    /// seconds. While the database is away, it is the one that was shown last.
    ///
    /// # Errors
    /// A pool that shows nothing to everybody.
    pub async fn public_leaderboard(&self, pool: &Pool) -> Result<Arc<Leaderboard>, ServiceError> {
        let held = self.leaderboards.0.get(&pool.name);
        let held = held.filter(|_| pool.settings.leaderboard.is_public());
        let held = held.ok_or(ServiceError::NoPublicLeaderboard)?;
        // Whoever comes while it is computed waits for it, and computes nothing.
        let mut held = held.lock().await;
        if let Some(shown) = &held.shown {
            let age = self.clock.now().whole_seconds_since(shown.computed_at);
            if (0..HELD_SECONDS).contains(&age) {
                return Ok(Arc::clone(shown));
            }
        }
        let error = match held.failure.recent(Instant::now()) {
            Some(error) => error,
            None => match self.leaderboard(pool, None, SHOWN).await {
                Ok(computed) => {
                    let computed = Arc::new(computed);
                    held.shown = Some(Arc::clone(&computed));
                    return Ok(computed);
                }
                Err(error) => {
                    tracing::warn!(error = ?error, pool = %pool.name, "The leaderboard cannot be computed");
                    held.failure.remember(Instant::now(), error.clone());
                    error
                }
            },
        };
        match &held.shown {
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
