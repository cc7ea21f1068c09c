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

/// Time after which all cached rounds are looked up again. Longer than the interval of warm-ups, which refresh the
/// rounds.
const KEPT: Duration = Duration::from_hours(2);
const PORTION: usize = 2_000;
/// Number of portions that are read in parallel: as many as SQLite reserves connections for the service's own work.
const SIDE_BY_SIDE: usize = 2;

/// Cached last rounds of a pool's players at the start of each period.
#[derive(Debug, Default)]
pub(super) struct LastRoundCache {
    generation: Generation,
    of_spans: HashMap<Span, PeriodLastRounds>,
}

impl LastRoundCache {
    /// Returns the cached rounds of a period. Clears the cache if it belongs to another generation.
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
    /// Time of the last complete update.
    checked_at: Option<Timestamp>,
}

impl PeriodLastRounds {
    fn are_recent(&self, now: Timestamp) -> bool {
        let is_recent = |at: Timestamp| at <= now && now < at.later(KEPT);
        self.checked_at.is_some_and(is_recent)
    }

    /// Returns the last rounds of `players` at the start of the period that ends at `now`.
    ///
    /// # Design
    /// A player without a round between the start of the previous table's period and the start of this one has the same
    /// last round. The player's cached next round shows this. So only two groups are looked up: players with a newer
    /// round, and players whose next round is not cached, because their last round ended a row or because they are new.
    /// If rounds count by their ending times, a later round in the log may count before an earlier one. So all players
    /// are looked up again from time to time.
    pub(super) async fn update(
        &mut self,
        store: &Store,
        past: &Arc<Past>,
        players: &[Rated],
        now: Timestamp,
    ) -> Result<&LastRounds, ServiceError> {
        if past.goes_by_end() && !self.are_recent(now) {
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
