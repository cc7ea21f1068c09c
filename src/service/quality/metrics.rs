use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout};

use crate::metrics::{ConnectionState, PoolFigures, WindowAndAll};
use crate::rating::PredictionTotals;
use crate::service::{Pool, Service, ServiceError, TIMEOUT};

/// How old the figures of the pools may be: reading them looks at every player, and several may
/// scrape.
const FRESH_FOR: Duration = Duration::from_secs(15);

/// When the figures of the pools were last asked for, held by whoever asks.
pub(crate) type FiguresRead = Arc<Mutex<Option<Instant>>>;

impl Service {
    /// Everything that this instance counts and measures, as text for Prometheus.
    ///
    /// The figures of the pools are at most some seconds old while the database answers in time; those
    /// of a pool for which it does not stay what they were, and the text says of when they are.
    pub async fn render_metrics(&self) -> Result<String, fmt::Error> {
        for connections in self.store.connections() {
            let kind = connections.kind;
            let metrics = &self.metrics;
            metrics.set_connections(kind, ConnectionState::Idle, connections.idle);
            metrics.set_connections(kind, ConnectionState::InUse, connections.in_use);
        }
        for pool in self.pools.all() {
            let waiting = self.queue.waiting(&pool.name);
            self.metrics.set_waiting(&pool.name, waiting);
            self.metrics.expect_figures(&pool.name);
        }
        self.refresh_figures().await;
        self.metrics.text()
    }

    /// Reads the figures of the pools again, unless that was done just now or is being done. Whoever
    /// scrapes waits for that no longer than for anything of the database; it goes on without them.
    async fn refresh_figures(&self) {
        let Ok(last) = Arc::clone(&self.figures_read).try_lock_owned() else {
            return;
        };
        if last.is_some_and(|last| last.elapsed() < FRESH_FOR) {
            return;
        }
        let reading = tokio::spawn(self.clone().read_figures(last));
        // What it cannot read it says itself.
        if let Ok(Err(error)) = timeout(TIMEOUT, reading).await {
            tracing::error!(%error, "Reading the figures of the pools broke off");
        }
    }

    /// Asks whether the database answers, as `/readyz` does, and then for each pool apart, so that one
    /// whose players take long to count keeps its figures from nobody else.
    async fn read_figures(self, mut last: OwnedMutexGuard<Option<Instant>>) {
        *last = Some(Instant::now());
        let ready = self.check_ready().await;
        self.metrics.set_database_up(ready.is_ok());
        if let Err(error) = ready {
            tracing::warn!(error = ?error, "The database does not answer, so the figures of the pools stay as they are");
            return;
        }
        for pool in self.pools.all() {
            match self.figures_of(pool).await {
                Ok(figures) => {
                    let now = self.clock.now();
                    self.metrics.set_pool(&pool.name, &figures, now);
                }
                Err(error) => {
                    tracing::warn!(error = ?error, pool = %pool.name, "Cannot read the figures of the pool");
                }
            }
        }
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
