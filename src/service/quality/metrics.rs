use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout};

use super::verdict::judgement;
use super::{lead_totals, windowed_totals};
use crate::domain::{Progress, ServerName, Timestamp};
use crate::metrics::{Format, PoolFigures, RebuildFigures, SeasonFigures};
use crate::rating::VerdictWord;
use crate::service::models::rounds_behind;
use crate::service::replay::lease::lease_cutoff;
use crate::service::replay::rebuild_progress::progress;
use crate::service::{Pool, Service, ServiceError, TIMEOUT};

/// Time for which the metrics of all pools are cached. Reading them scans all players, and several monitors may ask.
const FRESH_FOR: Duration = Duration::from_secs(15);

/// Time at which the metrics of all pools were last read from the database. Locked while they are read.
pub(crate) type FiguresRead = Arc<Mutex<Option<Instant>>>;

/// Metrics of a pool, progress of its rebuild, and each server with the time at which its last round ended.
type Figures = (PoolFigures, RebuildFigures, Vec<(ServerName, Timestamp)>);

impl Service {
    /// Returns all metrics of this instance as text in `format`.
    ///
    /// Metrics of pools are some seconds old at most. If the database does not answer in time, a pool keeps its
    /// previous metrics with the time of their reading.
    pub async fn render_metrics(&self, format: Format) -> Result<String, fmt::Error> {
        for connections in self.store.connections() {
            self.metrics
                .set_connections(connections.kind, connections.idle, connections.in_use);
        }
        for pool in self.pools.now().all() {
            let waiting = self.queue.waiting(&pool.name);
            self.metrics.set_waiting(&pool.name, waiting);
            self.metrics.expect_figures(&pool.name);
        }
        self.refresh_figures().await;
        self.metrics.text(format)
    }

    /// Reads the metrics of all pools from the database, unless they are fresh or being read. Waits for the reading at
    /// most [`TIMEOUT`]; after that, the reading continues in the background.
    async fn refresh_figures(&self) {
        let Ok(last) = Arc::clone(&self.figures_read).try_lock_owned() else {
            return;
        };
        if last.is_some_and(|last| last.elapsed() < FRESH_FOR) {
            return;
        }
        let reading = tokio::spawn(self.clone().read_figures(last));
        // `read_figures` logs its own failures.
        if let Ok(Err(error)) = timeout(TIMEOUT, reading).await {
            tracing::error!(%error, "Reading the metrics of the pools failed");
        }
    }

    /// Checks the database like `/readyz`, and then reads the metrics of each pool. If counting the players of one pool
    /// takes too long, the other pools still get metrics.
    async fn read_figures(self, mut last: OwnedMutexGuard<Option<Instant>>) {
        *last = Some(Instant::now());
        self.measure_backups().await;
        let ready = self.check_ready().await;
        self.metrics.set_database_up(ready.is_ok());
        self.metrics.set_clock_jump(self.clock.jumped_micros());
        let is_full = ready.as_ref().is_err_and(ServiceError::is_disk_full);
        self.metrics.set_database_disk_full(is_full);
        if let Err(error) = ready {
            tracing::warn!(error = ?error, "The database does not answer, so the metrics of the pools are not updated");
            return;
        }
        match self.imported_bytes().await {
            Ok(progress) => self.metrics.set_imports(progress),
            Err(error) => {
                tracing::warn!(error = ?error, "Cannot read the progress of the imports");
            }
        }
        match self.database_size().await {
            Ok(bytes) => self.metrics.set_database_size(bytes),
            Err(error) => {
                tracing::warn!(error = ?error, "Cannot read the size of the database");
            }
        }
        let pools = self.pools.now();
        for pool in pools.all() {
            match self.figures_of(pool).await {
                Ok((figures, rebuild, last_rounds)) => {
                    self.metrics
                        .set_pool(&pool.name, &figures, self.clock.now());
                    self.metrics.set_rebuild(&pool.name, rebuild);
                    self.metrics.set_last_rounds(&pool.name, last_rounds);
                }
                Err(error) => {
                    tracing::warn!(error = ?error, pool = %pool.name, "Cannot update the metrics of the pool");
                }
            }
            match self.verdict_and_mean(pool).await {
                Ok((verdict, mean)) => {
                    self.metrics.set_verdict(&pool.name, verdict);
                    self.metrics.set_mean_rating(&pool.name, mean);
                }
                Err(error) => {
                    tracing::warn!(
                        error = ?error, pool = %pool.name,
                        "Cannot update the metrics of the pool's mean rating and of the verdict on its predictions"
                    );
                }
            }
        }
    }

    async fn database_size(&self) -> Result<u64, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.size().await?)
    }

    /// Returns the verdict on the predictions of `pool`, and its mean rating before the latest rounds and now. Both
    /// equal those of the quality report.
    pub(in crate::service) async fn verdict_and_mean(
        &self,
        pool: &Pool,
    ) -> Result<(VerdictWord, Option<(f64, f64)>), ServiceError> {
        // The first call reads all latest rounds one by one.
        let (recent, mut tx, record) = self.recent_rounds(pool).await?;
        let mean = recent.mean.as_ref().map(|mean| (mean.from, mean.to));
        let leads = lead_totals(&mut tx, pool.id).await?;
        let theta = pool.settings.parameters.theta;
        let judgement = judgement(record.model, theta, &leads, &recent);
        Ok((judgement.word, mean))
    }

    async fn figures_of(&self, pool: &Pool) -> Result<Figures, ServiceError> {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let sums = windowed_totals(&mut tx, &record, parameters.window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        let challengers_behind = rounds_behind(&mut tx, pool, &record).await?;
        let season = match tx.season_starts(pool.id).await?.last() {
            Some(start) => {
                let before = tx.predictions_before(pool.id, start.position).await?;
                let rounds = record.sums.predictions.rounds.saturating_sub(before.rounds);
                Some(SeasonFigures {
                    started_at: start.made_at,
                    rounds: (start.position > record.pruned).then_some(rounds),
                })
            }
            None => None,
        };
        let rebuild = tx
            .rebuild(pool.id, lease_cutoff(self.clock.now()))
            .await?
            .as_ref()
            .and_then(progress)
            .map(|rebuild| RebuildFigures {
                progress: Progress {
                    done: rebuild.done,
                    total: rebuild.total,
                },
                remaining_seconds: rebuild.remaining_seconds,
            });
        let scores = sums.map(|sums| sums.scores());
        let figures = PoolFigures {
            rounds: sums.all.rounds,
            hidden_players: players.hidden,
            visible_players: players.total - players.hidden,
            stale_players: players.stale,
            brier: scores.map(|of| of.brier),
            log_loss: scores.map(|of| of.log_loss),
            challengers_behind,
            season,
        };
        let last_rounds = self.measured_last_rounds(&mut tx, pool).await?;
        Ok((figures, rebuild.unwrap_or_default(), last_rounds))
    }
}
