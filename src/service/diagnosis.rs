use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Service, ServiceError};
use crate::domain::PoolName;
use crate::rating::ModelName;
use crate::store::newest_migration;

/// Ending time and result of the last database check. Locked during a check.
pub(super) type LastCheck = Arc<Mutex<Option<(Instant, Result<(), ServiceError>)>>>;

/// State of the database, for a bug report.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Database engine and version, such as `PostgreSQL 17.2`.
    pub engine: String,
    /// Size of the database in bytes.
    pub bytes: u64,
    /// Number of the newest migration applied to the database (0 for none), and of the newest known to the program.
    pub migration: (i64, i64),
    /// State of every configured pool.
    pub pools: Vec<PoolDiagnosis>,
}

/// State of a pool, for a bug report.
#[derive(Clone, Debug)]
pub struct PoolDiagnosis {
    /// Name of the pool whose state is reported.
    pub pool: PoolName,
    /// Rating model of the pool.
    pub model: ModelName,
    /// Number of the pool's rated rounds.
    pub rounds: u64,
    /// Length of the pool's log (rounds and changes), and the log position up to which the log is pruned.
    pub log: (u64, u64),
    /// Number of the pool's players, and number of those whose rating is still hidden because they have too few rounds.
    pub players: (u64, u64),
}

impl Service {
    /// Checks that the database answers, accepts writes and has free disk space.
    ///
    /// Anybody may ask for a check, and each check takes a write connection. So only one check runs at a time, and
    /// answers all requests that arrived before it began. However many clients ask, rounds do not wait.
    pub async fn check_ready(&self) -> Result<(), ServiceError> {
        let asked_at = Instant::now();
        let mut last = self.last_check.lock().await;
        if let Some((ended_at, result)) = &*last
            && *ended_at >= asked_at
        {
            return result.clone();
        }
        let result = self
            .store
            .check_disk_space()
            .await
            .map_err(ServiceError::from);
        *last = Some((Instant::now(), result.clone()));
        result
    }

    /// Returns the state of the database, for a bug report. Slow in large databases, because it counts every player.
    pub async fn diagnose(&self) -> Result<Diagnosis, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let (bytes, found) = (tx.size().await?, tx.migration().await?);
        let engine = tx.engine_version().await?;
        let mut pools = Vec::new();
        for pool in self.pools.now().all() {
            let record = tx.pool(pool.id).await?;
            let parameters = &pool.settings.parameters;
            let stale_before = self.clock.now().days_earlier(parameters.stale_days);
            let players = tx
                .count_players(pool.id, parameters.shadow_rounds, stale_before)
                .await?;
            pools.push(PoolDiagnosis {
                pool: pool.name.clone(),
                model: record.model,
                rounds: record.sums.predictions.rounds,
                log: (record.log_length, record.pruned),
                players: (players.total, players.hidden),
            });
        }
        Ok(Diagnosis {
            engine,
            bytes,
            migration: (found.unwrap_or_default(), newest_migration()),
            pools,
        })
    }
}
