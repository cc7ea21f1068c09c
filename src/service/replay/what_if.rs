use std::collections::VecDeque;

use super::rebuild::{Progress, Watch};
use super::{Replay, settings_of};
use crate::config::Overrides;
use crate::rating::{Parameters, PredictionTotals};
use crate::service::quality::report::Figure;
use crate::service::{Service, ServiceError};
use crate::store::PoolRecord;

/// How much is read at a time.
const PAGE: u32 = 1_000;

/// What the figures of a pool are, and what they would have been with other constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// As they are.
    pub present: Figures,
    /// As they would have been.
    pub instead: Figures,
}

/// How good a pool's predictions are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Rounds that count.
    pub rounds: u64,
    /// W: the window's figures are over at most that many of them.
    pub window: u32,
    /// F6: the mean Brier score, 0 to 1.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The share of decided rounds that the favourite won, 0 to 1.
    pub accuracy: Figure,
}

impl Figures {
    /// The figures of `all` rounds and of those after `earlier`.
    fn of(all: PredictionTotals, earlier: PredictionTotals, window: u32) -> Self {
        let last = all.since(earlier);
        let figure = |of: fn(&PredictionTotals) -> Option<f64>| Figure {
            window: of(&last),
            all: of(&all),
        };
        Self {
            rounds: all.rounds,
            window,
            brier: figure(PredictionTotals::brier_score),
            log_loss: figure(PredictionTotals::mean_log_loss),
            accuracy: figure(PredictionTotals::accuracy),
        }
    }
}

impl Service {
    /// Computes a pool again from its log as it would have been with other constants. Changes
    /// nothing. What it is beside that goes by the constants that are `configured`; where the pool is
    /// not declared any more, by those of the last thing in its log.
    ///
    /// # Errors
    /// Constants that make no sense with the others; a log that cannot be replayed.
    pub async fn what_if(
        &self,
        pool: &PoolRecord,
        configured: Option<&Parameters>,
        overrides: Overrides,
        watch: Watch<'_>,
    ) -> Result<Simulation, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = tx.pool(pool.id).await?;
        let mut replay = Replay::open(&mut tx, overrides.clone()).await?;
        let mut last = None;
        // The sums after as many rounds as any window may hold, and one before them.
        let mut sums = VecDeque::from([PredictionTotals::default()]);
        loop {
            let page = replay.next_page(&mut tx, pool.id, PAGE).await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                last = Some(settings_of(&entry));
                let Some(applied) = replay.apply(entry)? else {
                    continue;
                };
                if applied.round.voided_at.is_none() {
                    sums.push_back(applied.rated.result.predictions);
                    if sums.len() > Parameters::MAX_WINDOW as usize + 1 {
                        sums.pop_front();
                    }
                }
            }
            watch(Progress {
                done: replay.position,
                total: pool.log_length,
            });
        }
        let now = if let Some(configured) = configured {
            configured.clone()
        } else {
            let mut settings = tx.settings().await?.into_iter();
            let latest = settings.find(|(id, _)| Some(*id) == last);
            latest.map(|(_, latest)| latest).unwrap_or_default()
        };
        let then = overrides
            .over(&now)
            .map_err(crate::service::ReplayError::Overrides)?;
        let before =
            |window: u32, all: PredictionTotals| all.rounds.saturating_sub(u64::from(window));
        let earlier = tx
            .predictions_at(pool.id, before(now.window, pool.predictions))
            .await?;
        let instead = replay.projection.predictions;
        let length = usize::try_from(instead.rounds - before(then.window, instead));
        let index = sums.len() - 1 - length.unwrap_or(0).min(sums.len() - 1);
        Ok(Simulation {
            present: Figures::of(pool.predictions, earlier.unwrap_or_default(), now.window),
            instead: Figures::of(
                instead,
                sums.get(index).copied().unwrap_or_default(),
                then.window,
            ),
        })
    }
}
