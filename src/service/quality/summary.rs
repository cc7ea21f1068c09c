use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::sync::MutexGuard;
use tokio::time::timeout;

use super::lead_totals;
use super::recent::RecentRounds;
use super::verdict::{Judged, judgement, verdict};
use crate::api::{PoolSummaryAnswer, ServerAnswer};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::rating::Scope;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolRecord, Tx};

/// Maximum time to summarize all pools for one request. The next request continues with what is cached by then.
const PATIENCE: Duration = Duration::from_secs(2);

impl Service {
    /// Returns the summaries of the pools that can be read in time. A pool without new log entries costs one query. A
    /// failure is logged, because the list of pools must not depend on figures.
    pub(in crate::service) async fn summaries(&self) -> BTreeMap<PoolName, PoolSummaryAnswer> {
        let mut summaries = BTreeMap::new();
        let summarizing = async {
            let servers = self.list_servers(None, |_| None).await?.servers;
            for pool in self.pools.now().all() {
                summaries.insert(pool.name.clone(), self.summary(pool, &servers).await?);
            }
            Ok::<_, ServiceError>(())
        };
        if let Ok(Err(error)) = timeout(PATIENCE, summarizing).await {
            tracing::warn!(error = ?error, "Cannot summarize the pools");
        }
        summaries
    }

    async fn summary(
        &self,
        pool: &Pool,
        servers: &[ServerAnswer],
    ) -> Result<PoolSummaryAnswer, ServiceError> {
        let rounds_of_day = self.rounds_of_day(pool).await?;
        let (mut recent, mut tx, record) = self.recent_rounds(pool).await?;
        let mut summary = if let Some(known) = recent.summary.clone() {
            known
        } else {
            let parameters = &pool.settings.parameters;
            let leads = lead_totals(&mut tx, pool.id).await?;
            let told = verdict(&Judged {
                pool: &pool.name,
                parameters,
                rounds: record.sums.predictions.rounds,
                judgement: judgement(record.model, parameters.theta, &leads, &recent),
                remedy: None,
                has_departures: false,
            });
            let players = tx.count_players(pool.id, 0, Timestamp::UNIX_EPOCH).await?;
            let sentence = told.message.split_inclusive(". ").next();
            PoolSummaryAnswer {
                verdict: told.word,
                message: sentence.unwrap_or_default().trim_end().to_owned(),
                rounds_24_hours: 0,
                players: players.total,
                servers_in_need: 0,
            }
        };
        recent.summary = Some(summary.clone());
        let departing = recent.departures.iter().filter_map(|one| match &one.place {
            Scope::Server(server) | Scope::MapOnServer(_, server) => Some(server),
            _ => None,
        });
        let in_need: BTreeSet<&ServerName> = servers
            .iter()
            .filter(|one| one.pool == pool.name && one.attention.is_some())
            .map(|one| &one.server)
            .chain(departing)
            .collect();
        summary.servers_in_need = in_need.len() as u64;
        summary.rounds_24_hours = rounds_of_day.values().map(|of| of.last_24_hours).sum();
        Ok(summary)
    }

    /// Locks the cache of the pool's latest rounds and brings it up to date, in the returned transaction.
    pub(super) async fn recent_rounds<'pool>(
        &self,
        pool: &'pool Pool,
    ) -> Result<(MutexGuard<'pool, RecentRounds>, Tx, PoolRecord), ServiceError> {
        // A transaction that began before the lock could lack rounds that the cache has.
        let mut recent = pool.recent.lock().await;
        let mut tx = self.store_for_figures().begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let parameters = &pool.settings.parameters;
        recent.update(&mut tx, &record, parameters).await?;
        Ok((recent, tx, record))
    }
}
