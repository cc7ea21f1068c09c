use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::changes::Span;
use crate::domain::Timestamp;
use crate::service::ServiceError;
use crate::service::players::last_round::LastRounds;
use crate::service::players::past::{Past, Rated};
use crate::store::{Generation, Store, StoreError};

/// Time after which the last rounds of all players are read again instead of cached. Longer than the interval of
/// warm-ups, which refresh the cache.
const KEPT: Duration = Duration::from_hours(2);
const PORTION: usize = 2_000;
/// Number of parallel reads of players' last rounds: SQLite reserves as many connections for the service's own work.
const SIDE_BY_SIDE: usize = 2;

/// Cache of the last rounds of a pool's players before the last day, week and month.
#[derive(Debug, Default)]
pub(super) struct LastRoundCache {
    generation: Generation,
    of_spans: HashMap<Span, PeriodLastRounds>,
}

impl LastRoundCache {
    /// Returns the players' cached last rounds before the period `span`. Clears the cache after a rebuild of the pool.
    pub(super) fn of(&mut self, span: Span, generation: Generation) -> &mut PeriodLastRounds {
        if self.generation != generation {
            *self = Self {
                generation,
                ..Self::default()
            };
        }
        self.of_spans.entry(span).or_default()
    }
}

#[derive(Debug, Default)]
pub(super) struct PeriodLastRounds {
    last: LastRounds,
    /// Time at which the last rounds of all players were last read.
    checked_at: Option<Timestamp>,
}

impl PeriodLastRounds {
    /// Returns the last round of each of `players` before the start of the period that ends at `now`.
    ///
    /// # Design
    /// A player without a round between the start of the cached period and the start of this one has the same
    /// last round. The player's cached next round shows this. So only two groups are read: players with a newer round,
    /// and players whose next round is not cached, because their last round ended a database row or because they are
    /// new. If rounds count by their ending times, a later round in the log may count before an earlier one. So all
    /// players are read again from time to time.
    pub(super) async fn update(
        &mut self,
        store: &Store,
        past: &Arc<Past>,
        players: &[Rated],
        now: Timestamp,
    ) -> Result<&LastRounds, ServiceError> {
        let is_recent = |at: Timestamp| at <= now && now < at.later(KEPT);
        if past.goes_by_end() && !self.checked_at.is_some_and(is_recent) {
            self.last.clear();
        }
        let is_certain = !past.goes_by_end() || self.last.is_empty();
        let mut last = LastRounds::with_capacity(players.len());
        let mut others = Vec::new();
        for player in players {
            match self.last.get(&player.id) {
                Some(round) if past.is_still_last(round, player) => {
                    last.insert(player.id, *round);
                }
                _ => others.push(*player),
            }
        }
        last.extend(look_up(store, past, &others).await?);
        self.last = last;
        if is_certain {
            self.checked_at = Some(now);
        }
        Ok(&self.last)
    }
}

async fn look_up(
    store: &Store,
    past: &Arc<Past>,
    players: &[Rated],
) -> Result<LastRounds, ServiceError> {
    let portions: Vec<&[Rated]> = players.chunks(PORTION).collect();
    let mut readers = JoinSet::new();
    for first in 0..SIDE_BY_SIDE {
        let portions: Vec<Vec<Rated>> = portions
            .iter()
            .skip(first)
            .step_by(SIDE_BY_SIDE)
            .map(|portion| portion.to_vec())
            .collect();
        let (store, past) = (store.clone(), Arc::clone(past));
        readers.spawn(async move {
            let mut last = LastRounds::new();
            for portion in portions {
                let mut tx = store.begin_read().await?;
                last.extend(past.last_rounds(&mut tx, &portion).await?);
            }
            Ok::<_, StoreError>(last)
        });
    }
    let mut last = LastRounds::with_capacity(players.len());
    while let Some(read) = readers.join_next().await {
        last.extend(read.map_err(ServiceError::internal)??);
    }
    Ok(last)
}
