//! The last rounds of players as of when each span began, kept from one table to the next.

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

/// For how long rounds are kept that may not be the last any more: longer than until all is read ahead again.
const KEPT: Duration = Duration::from_hours(2);
/// Of how many players the rounds are looked up at once.
const PORTION: usize = 2_000;
/// Number of portions that are read in parallel: as many as SQLite reserves connections for the service's own work.
const SIDE_BY_SIDE: usize = 2;

/// The last rounds of the players of a pool as of when each span began, as far as they were looked up.
#[derive(Debug, Default)]
pub(super) struct KnownRounds {
    generation: Generation,
    of_spans: HashMap<Span, SpanRounds>,
}

impl KnownRounds {
    /// Those of the span, to be brought up to a table of that generation.
    pub(super) fn of(&mut self, span: Span, generation: Generation) -> &mut SpanRounds {
        if self.generation != generation {
            *self = Self {
                generation,
                ..Self::default()
            };
        }
        self.of_spans.entry(span).or_default()
    }
}

/// The last rounds as of when one span began.
#[derive(Debug, Default)]
pub(super) struct SpanRounds {
    last: LastRounds,
    /// When it was certain last that they are right.
    checked_at: Option<Timestamp>,
}

impl SpanRounds {
    fn are_recent(&self, now: Timestamp) -> bool {
        let is_recent = |at: Timestamp| at <= now && now < at.later(KEPT);
        self.checked_at.is_some_and(is_recent)
    }

    /// Those of the `players` of a table of `now`, as of when the span of that began.
    ///
    /// # Design
    /// Who has not played between when it began for the last table and when it began for this one has the same last round,
    /// which the player's next one shows. So only the others are looked up, and those whose next round was not seen with
    /// the last: that ended a row, or they were new. Where it goes by when rounds ended, a round may count that stands
    /// behind a next one which does not yet, so that everybody is looked up again from time to time.
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

/// The last rounds of many players, looked up side by side.
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
