use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::leaderboard::{PublicLeaderboard, PublicPlayer};
use super::players::listing::KnownTable;
use super::public_cache::PublicCache;
use super::quality::{CountedHours, RecentRounds};
use super::{Service, ServiceError};
use crate::api::{PlayerCardAnswer, PoolAnswer, PoolsAnswer};
use crate::config::PoolSettings;
use crate::domain::{PlayerId, PoolName, ServerName};
use crate::rating::{ModelState, PoolModelName};
use crate::store::{PoolId, PoolRecord, SettingsId, Store, StoreError, Tx};

/// A configured pool.
#[derive(Debug)]
pub struct Pool {
    /// Its key in the store.
    pub(super) id: PoolId,
    /// The key of its constants in the store.
    pub(super) settings_id: SettingsId,
    /// Its name.
    pub name: PoolName,
    /// What is set for it.
    pub settings: PoolSettings,
    /// All its players, as they were read last.
    pub(super) player_table: Mutex<KnownTable>,
    /// What everybody was shown lately, by the number of the page.
    pub(super) public_leaderboards: PublicCache<u64, PublicLeaderboard>,
    /// Whom everybody was shown lately.
    pub(super) public_players: PublicCache<PlayerId, PublicPlayer>,
    /// Whom everybody found lately, by what was looked for.
    pub(super) public_searches: PublicCache<String, Vec<PlayerCardAnswer>>,
    /// What was counted of it lately; locked by whoever counts.
    pub(super) activity: Arc<Mutex<CountedHours>>,
    /// Its latest rounds; locked by whoever reads them.
    pub(super) recent: Mutex<RecentRounds>,
}

/// Every configured pool, and the pool of every server that the configuration names.
#[derive(Debug)]
pub(super) struct Pools {
    by_name: BTreeMap<PoolName, Arc<Pool>>,
    of_server: BTreeMap<ServerName, PoolName>,
}

impl Pools {
    pub(super) async fn open(
        store: &Store,
        settings: &BTreeMap<PoolName, PoolSettings>,
        servers: &BTreeMap<ServerName, PoolName>,
    ) -> Result<Self, StoreError> {
        let mut tx = store.begin().await?;
        let mut by_name = BTreeMap::new();
        for (name, settings) in settings {
            let id = tx.ensure_pool(name).await?;
            begin_by(&mut tx, id, settings.model).await?;
            let pool = Pool {
                id,
                settings_id: tx.ensure_settings(&settings.parameters).await?,
                name: name.clone(),
                settings: settings.clone(),
                player_table: Mutex::default(),
                public_leaderboards: PublicCache::default(),
                public_players: PublicCache::default(),
                public_searches: PublicCache::default(),
                activity: Arc::default(),
                recent: Mutex::default(),
            };
            by_name.insert(name.clone(), Arc::new(pool));
        }
        tx.commit().await?;
        Ok(Self {
            by_name,
            of_server: servers.clone(),
        })
    }

    /// Every server that the configuration names.
    pub(super) fn declared_servers(&self) -> impl Iterator<Item = &ServerName> {
        self.of_server.keys()
    }

    /// Every configured pool, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Pool>> {
        self.by_name.values()
    }
}

/// Has a pool that has no log yet rated by the model that is configured. From its first round on, that is changed
/// by a switch alone.
async fn begin_by(
    tx: &mut Tx,
    pool: PoolId,
    configured: Option<PoolModelName>,
) -> Result<(), StoreError> {
    let Some(model) = configured else {
        return Ok(());
    };
    if tx.pool(pool).await?.model != model {
        let locked = tx.lock_pool(pool).await?;
        if locked.log_length == 0 {
            let begun = PoolRecord {
                model,
                model_state: ModelState::default(),
                ..locked
            };
            tx.save_pool(&begun).await?;
        }
    }
    Ok(())
}

impl Service {
    /// Every configured pool, by name.
    pub async fn list_pools(&self) -> Result<PoolsAnswer, ServiceError> {
        let stored = self.store.begin_read().await?.pools().await?;
        let answer = |pool: &Arc<Pool>| {
            let record = stored.iter().find(|record| record.id == pool.id);
            let parameters = &pool.settings.parameters;
            let servers = self.pools.of_server.iter();
            PoolAnswer {
                pool: pool.name.clone(),
                model: record
                    .map(|record| record.model)
                    .unwrap_or_default()
                    .name()
                    .to_owned(),
                theta: parameters.theta,
                rounds: record.map_or(0, |record| record.predictions.rounds),
                window: parameters.window,
                initial_rating: parameters.initial_rating,
                min_rating: parameters.min_rating,
                shadow_rounds: parameters.shadow_rounds,
                stale_days: parameters.stale_days,
                servers: servers
                    .filter(|(_, of)| **of == pool.name)
                    .map(|(server, _)| server.clone())
                    .collect(),
                leaderboard_public: pool.settings.leaderboard.is_public(),
                player_pages_public: pool.settings.leaderboard.has_player_pages(),
            }
        };
        Ok(PoolsAnswer {
            pools: self.pools.all().map(answer).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Whether the configuration names the server.
    pub(super) fn is_declared(&self, server: &ServerName) -> bool {
        self.pools.of_server.contains_key(server)
    }

    /// The pool that is meant: the one `named`, else the server's, else `default`.
    pub fn pool(
        &self,
        named: Option<&PoolName>,
        server: Option<&ServerName>,
    ) -> Result<Arc<Pool>, ServiceError> {
        let of_server = server.and_then(|server| self.pools.of_server.get(server));
        let name = named.or(of_server).cloned().unwrap_or_default();
        let pool = self.pools.by_name.get(&name).cloned();
        pool.ok_or(ServiceError::NoSuchPool(name))
    }
}
