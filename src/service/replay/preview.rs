//! Whose ratings a change of the log would move.

use std::collections::BTreeSet;

use super::Replay;
use super::load::Stored;
use super::rebuild::PAGE;
use super::round_change::LogChange;
use crate::api::{MovedRatingAnswer, MovedRatingsAnswer};
use crate::config::Overrides;
use crate::domain::PlayerId;
use crate::rating::{ModelState, Parameters};
use crate::service::replay::lease::with_batch_timeout;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolRecord, StoreError, Tx};

/// How many of the ratings that move most are named.
const NAMED: usize = 10;
/// How much of the log is computed before others have their turn on the same thread.
const TURN: usize = 64;
/// Players who are compared at a time.
const PLAYERS: usize = 1_000;

impl Service {
    /// Computes a pool again, from where `change` concerns it on, as it would be with that in its log. Changes nothing.
    ///
    /// # Errors
    /// A rebuild that took effect meanwhile.
    pub(crate) async fn moved_ratings(
        &self,
        of: &Pool,
        change: &LogChange,
    ) -> Result<MovedRatingsAnswer, ServiceError> {
        let store = with_batch_timeout(&self.store);
        let mut tx = store.begin_read().await?;
        let pool = tx.pool(of.id).await?;
        let stored = Stored {
            active: pool.generation,
            written: None,
        };
        let model = pool.model.resume(&ModelState::default());
        let mut replay = if model.map_err(StoreError::from)?.follows_from_ratings() {
            let first = change.first().max(pool.pruned + 1);
            Replay::open_behind(&mut tx, &pool, first - 1, stored).await?
        } else {
            let overrides = Overrides::default();
            Replay::open_behind_pruned(&mut tx, &pool, overrides, Some(stored)).await?
        };
        for (position, supposed) in change.supposed() {
            replay.suppose(position, supposed);
        }
        drop(tx);
        loop {
            let mut tx = store.begin_read().await?;
            // Rows that it reads may be gone where others have taken their place, or where they were pruned.
            let now = tx.pool(pool.id).await?;
            if now.generation != pool.generation || now.pruned != pool.pruned {
                return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
            }
            let mut page = replay.next_page(&mut tx, pool.id, PAGE).await?;
            replay.forget_loaded();
            if page.is_empty() {
                let parameters = &of.settings.parameters;
                return compare(&mut tx, &now, (&replay, change), parameters).await;
            }
            drop(tx);
            while !page.is_empty() {
                let rest = page.split_off(page.len().min(TURN));
                for entry in std::mem::replace(&mut page, rest) {
                    replay.apply(entry)?;
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

/// The ratings of those who were computed, and what they are.
async fn compare(
    tx: &mut Tx,
    pool: &PoolRecord,
    (replay, change): (&Replay, &LogChange),
    parameters: &Parameters,
) -> Result<MovedRatingsAnswer, ServiceError> {
    if pool.log_length != replay.position {
        return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
    }
    let model = pool
        .model
        .resume(&pool.model_state)
        .map_err(StoreError::from)?;
    let mut moved = Vec::new();
    // Somebody may be known by nothing but what is to be void.
    let ids: BTreeSet<PlayerId> = replay.engine.ids().chain(change.players()).collect();
    let ids: Vec<PlayerId> = ids.into_iter().collect();
    for ids in ids.chunks(PLAYERS) {
        for player in tx.players(pool.id, ids).await? {
            let would_be = replay.engine.known(player.id);
            let shown = would_be
                .map(|would_be| replay.engine.model().shown(would_be.profile(), parameters));
            let after = match shown {
                Some(after) => after.map_err(StoreError::from)?,
                None => parameters.initial_rating,
            };
            let before = model
                .shown(player.profile(), parameters)
                .map_err(StoreError::from)?;
            if before != after {
                moved.push(MovedRatingAnswer {
                    id: player.id,
                    before,
                    after,
                });
            }
        }
    }
    let players = moved.len() as u64;
    let by = |moved: &MovedRatingAnswer| moved.after.points().abs_diff(moved.before.points());
    let points = moved.iter().map(|moved| u64::from(by(moved))).sum();
    moved.sort_unstable_by_key(|moved| (std::cmp::Reverse(by(moved)), moved.id));
    moved.truncate(NAMED);
    Ok(MovedRatingsAnswer {
        players,
        points,
        largest: moved,
    })
}
