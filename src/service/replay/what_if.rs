use std::collections::VecDeque;

use serde::Serialize;

use super::load::Stored;
use super::log_ahead::LogAhead;
use super::rebuild::Watch;
use super::{Replay, ReplayError, settings_of};
use crate::config::Overrides;
use crate::domain::Progress;
use crate::rating::{Figure, Parameters, PredictionTotals, Windowed};
use crate::service::quality::windowed_totals;
use crate::service::{Service, ServiceError};
use crate::store::{LogEntry, PoolRecord};

/// How much is read at a time.
const PAGE: u32 = 1_000;

/// The figures of a pool, and what they would have been with other constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// As they are.
    pub present: Figures,
    /// As they would have been.
    pub instead: Figures,
}

/// How good a pool's predictions are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Rounds that count.
    #[serde(skip)]
    pub rounds: u64,
    /// W: the window's figures are over at most that many of them.
    #[serde(rename = "window_rounds")]
    pub window: u32,
    /// F6: the mean Brier score, 0 to 1.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The share of decided rounds that the favourite won, 0 to 1.
    pub accuracy: Figure,
}

impl Figures {
    fn of(sums: Windowed<PredictionTotals>, window: u32) -> Self {
        let scores = sums.map(|sums| sums.scores());
        Self {
            rounds: sums.all.rounds,
            window,
            brier: scores.map(|of| of.brier),
            log_loss: scores.map(|of| of.log_loss),
            accuracy: scores.map(|of| of.accuracy),
        }
    }
}

impl Service {
    /// Computes a pool again from its log as it would have been with other constants. Changes
    /// nothing. Its present figures are those with the constants that are `configured`; where the
    /// pool is not declared any more, with those of the last entry of its log. What is pruned stays as it was
    /// rated.
    ///
    /// # Errors
    /// A log that cannot be replayed, or rounds that were pruned while it was read.
    pub async fn what_if(
        &self,
        pool: &PoolRecord,
        configured: Option<&Parameters>,
        overrides: Overrides,
        watch: Watch<'_>,
    ) -> Result<Simulation, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = tx.pool(pool.id).await?;
        let stored = Stored::of_pruned(&pool);
        let mut replay =
            Replay::open_behind_pruned(&mut tx, &pool, overrides.clone(), stored).await?;
        let begin = replay.engine.sums().predictions;
        let mut last = None;
        // The sums after as many rounds as any window may hold, and one before them.
        let mut sums = VecDeque::from([begin]);
        let mut log = LogAhead::new(&self.store, pool.id, PAGE);
        while replay.position < pool.log_length {
            let mut page = log.page((replay.position, true), None).await?;
            // What came since is not among the present figures either.
            page.retain(|entry| entry.position() <= pool.log_length);
            if page.first().map(LogEntry::position) != Some(replay.position + 1) {
                let now = self.store.begin_read().await?.pool(pool.id).await?;
                return Err(if now.pruned > pool.pruned {
                    ServiceError::PrunedMeanwhile(pool.name)
                } else {
                    ReplayError::Gap(replay.position + 1).into()
                });
            }
            replay.prepare(&mut tx, pool.id, &page).await?;
            replay.forget_loaded();
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
        let present = windowed_totals(&mut tx, &pool, now.window).await?;
        let instead = replay.engine.sums().predictions;
        let before_window = instead.rounds.saturating_sub(u64::from(then.window));
        let mut earlier = sums
            .iter()
            .find(|sums| sums.rounds == before_window)
            .copied();
        if earlier.is_none() && before_window < begin.rounds {
            // What is pruned stays rated as it was.
            earlier = tx.predictions_at(pool.id, before_window).await?;
        }
        let instead = instead.windowed(earlier.unwrap_or_default());
        Ok(Simulation {
            present: Figures::of(present, now.window),
            instead: Figures::of(instead, then.window),
        })
    }
}
