use super::{Service, ServiceError};
use crate::domain::PoolName;
use crate::rating::ModelName;
use crate::store::newest_migration;

/// What a bug report should have of the database.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// Its engine and version, such as `PostgreSQL 17.2`.
    pub engine: String,
    /// How many bytes it takes.
    pub bytes: u64,
    /// The newest migration that it has been through, and the newest that the program knows.
    pub migration: (i64, i64),
    /// Every pool of the configuration.
    pub pools: Vec<PoolDiagnosis>,
}

/// What a bug report should have of a pool.
#[derive(Clone, Debug)]
pub struct PoolDiagnosis {
    /// The pool.
    pub pool: PoolName,
    /// What it is rated by.
    pub model: ModelName,
    /// Rated rounds.
    pub rounds: u64,
    /// Rounds and changes in its log, and up to where they are pruned.
    pub log: (u64, u64),
    /// Its players, and those of them that are hidden.
    pub players: (u64, u64),
}

impl Service {
    /// What the database holds, for a bug report. It counts every player.
    ///
    /// # Errors
    /// The database's.
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
