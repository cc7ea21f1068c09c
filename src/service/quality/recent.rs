use std::sync::Arc;

use crate::domain::{Round, Score, Side, Stat, Stats};
use crate::rating::{Departure, WatchedRound, departures};
use crate::service::ServiceError;
use crate::store::{Generation, LoggedRound, PoolRecord, StoreError, Tx};

/// As many of the last places of the log are looked at.
const LOOKED_AT: u64 = 10_000;
/// How many rounds are read at once.
const PAGE: u32 = 500;

/// The latest rounds of a pool, and what departs from the predictions in them.
///
/// # Design
/// They follow from the log and the projection, so nothing of them is stored: a program reads them when they are first
/// asked for, and from then on those that are new. A void or a rebuild has another generation, and has them read
/// anew.
#[derive(Debug, Default)]
pub(crate) struct RecentRounds {
    generation: Option<Generation>,
    /// The last place of the log that was read.
    position: u64,
    /// The places of the rounds.
    positions: Vec<u64>,
    rounds: Arc<Vec<WatchedRound>>,
    departures: Vec<Departure>,
}

impl RecentRounds {
    /// The rounds, the oldest first.
    pub(super) fn rounds(&self) -> &[WatchedRound] {
        &self.rounds
    }

    /// What departs from the predictions.
    pub(super) fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Reads what is new in `pool`.
    pub(super) async fn update(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
    ) -> Result<(), ServiceError> {
        // A standby may be behind what was read before.
        if self.generation != pool.generation || self.position > pool.log_length {
            *self = Self {
                generation: pool.generation,
                ..Self::default()
            };
        }
        if self.position == pool.log_length {
            return Ok(());
        }
        let before = pool.log_length.saturating_sub(LOOKED_AT).max(pool.pruned);
        self.read_from(tx, pool, before).await?;
        let old = self.positions.partition_point(|place| *place <= before);
        self.positions.drain(..old);
        Arc::make_mut(&mut self.rounds).drain(..old);
        let rounds = Arc::clone(&self.rounds);
        let found = tokio::task::spawn_blocking(move || departures(&rounds)).await;
        self.departures = found.map_err(ServiceError::internal)?;
        // Only now: whoever was called off before has it all done again.
        let last = self.positions.last().copied().unwrap_or(0);
        self.position = last.max(pool.log_length);
        Ok(())
    }

    /// Reads the rounds behind the place `before` that are not there yet.
    async fn read_from(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        before: u64,
    ) -> Result<(), StoreError> {
        let mut position = self.positions.last().copied().unwrap_or(0).max(before);
        loop {
            let rounds = tx.rounds_after(pool.id, position, PAGE).await?;
            let results = tx.results_after(pool.id, position, PAGE).await?;
            let Some(last) = rounds.last() else {
                return Ok(());
            };
            position = last.position;
            for (
                LoggedRound {
                    position,
                    round,
                    voided_at,
                    ..
                },
                result,
            ) in rounds.into_iter().zip(results)
            {
                // A round whose result is not there yet ends what can be read.
                if result.position != position {
                    return Ok(());
                }
                if voided_at.is_none() {
                    let parts = round.parts();
                    self.positions.push(position);
                    Arc::make_mut(&mut self.rounds).push(WatchedRound {
                        map: parts.map.clone(),
                        server: parts.server.clone(),
                        predicted: result.win_probability,
                        score: parts.winner.score(Side::A),
                        scoreboard: by_scoreboard(&round),
                    });
                }
            }
        }
    }
}

/// What team a would have got if the scores decided, or where a team has none, the kills; `None` where it has neither.
fn by_scoreboard(round: &Round) -> Option<Score> {
    let numbers: [fn(&Stats) -> Option<f64>; 2] = [
        |stats| stats.score.map(Stat::value),
        |stats| stats.kills.map(|kills| f64::from(kills.get())),
    ];
    numbers.iter().find_map(|number| {
        let sum = |side| {
            let entries = round.entries().filter(|(of, _)| *of == side);
            let given = entries.filter_map(|(_, entry)| number(entry.stats.as_deref()?));
            given.fold(None, |sum: Option<f64>, one| Some(sum.unwrap_or(0.0) + one))
        };
        let (a, b) = (sum(Side::A)?, sum(Side::B)?);
        Some(if a > b {
            Score::WIN
        } else if a < b {
            Score::LOSS
        } else {
            Score::DRAW
        })
    })
}
