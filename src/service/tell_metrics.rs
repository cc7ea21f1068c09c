use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::{PATIENCE, Pool, Service, ServiceError};
use crate::metrics::{ConnectionState, PoolFigures, WindowAndAll};
use crate::rating::PredictionTotals;

/// How old the figures of the pools may be: reading them looks at every player, and several may
/// scrape.
const FRESH_FOR: Duration = Duration::from_secs(15);

/// When the figures of the pools were last asked for, held by whoever asks.
pub(super) type FiguresRead = Arc<Mutex<Option<Instant>>>;

impl Service {
    /// Everything that this instance counts and measures, as text for Prometheus.
    ///
    /// The figures of the pools are at most some seconds old while the database answers; while it
    /// does not, they stay what they were, and the text says so.
    ///
    /// # Errors
    /// Where a figure cannot be written as text.
    pub async fn tell_metrics(&self) -> Result<String, fmt::Error> {
        for connections in self.store.connections() {
            let kind = connections.kind;
            let metrics = &self.metrics;
            metrics.set_connections(kind, ConnectionState::Idle, connections.idle);
            metrics.set_connections(kind, ConnectionState::InUse, connections.in_use);
        }
        for pool in self.pools.all() {
            let waiting = self.recorder.waiting(&pool.name);
            self.metrics.set_waiting(&pool.name, waiting);
        }
        self.refresh_figures().await;
        self.metrics.text()
    }

    /// Reads the figures of the pools again, unless that was done just now or is being done.
    async fn refresh_figures(&self) {
        let Ok(mut last) = self.figures_read.try_lock() else {
            return;
        };
        if last.is_some_and(|last| last.elapsed() < FRESH_FOR) {
            return;
        }
        *last = Some(Instant::now());
        let read = timeout(PATIENCE, self.read_figures()).await;
        let up = match read {
            Ok(Ok(())) => {
                self.metrics.set_figures_read(self.clock.now());
                true
            }
            Ok(Err(error)) => {
                tracing::warn!(error = ?error, "Cannot read the figures of the pools");
                false
            }
            Err(_) => {
                tracing::warn!("Reading the figures of the pools took too long");
                false
            }
        };
        self.metrics.set_database_up(up);
    }

    async fn read_figures(&self) -> Result<(), ServiceError> {
        for pool in self.pools.all() {
            let figures = self.figures_of(pool).await?;
            self.metrics.set_pool(&pool.name, &figures);
        }
        Ok(())
    }

    async fn figures_of(&self, pool: &Pool) -> Result<PoolFigures, ServiceError> {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        let mut tx = self.store.begin_read().await?;
        let all = tx.pool(pool.id).await?.predictions;
        let before_window = all.rounds.saturating_sub(u64::from(parameters.window));
        let earlier = tx.predictions_at(pool.id, before_window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        let window = all.since(earlier.unwrap_or_default());
        let both = |of: fn(&PredictionTotals) -> Option<f64>| WindowAndAll {
            window: of(&window),
            all: of(&all),
        };
        Ok(PoolFigures {
            rounds: all.rounds,
            hidden_players: players.hidden,
            visible_players: players.total - players.hidden,
            stale_players: players.stale,
            brier: both(PredictionTotals::brier_score),
            log_loss: both(PredictionTotals::mean_log_loss),
        })
    }
}
