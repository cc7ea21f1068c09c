use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Mutex;

use super::leaderboard::{PublicLeaderboard, PublicPlayer};
use super::players::listing::KnownTable;
use super::public_cache::PublicCache;
use super::quality::{CountedHours, RecentRounds};
use super::rounds::kept_players::KeptPlayers;
use super::warm_up::WarmUp;
use super::{Service, ServiceError};
use crate::api::{PlayerCardAnswer, PoolAnswer, PoolsAnswer};
use crate::config::{PoolSettings, UnknownServers};
use crate::domain::{PlayerId, PoolName, ServerName};
use crate::rating::{ModelName, ModelState};
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
    /// Its players as the last rounds left them; locked by whoever counts rounds.
    pub(super) kept_players: Mutex<KeptPlayers>,
    /// All its players, as they were read last.
    pub(super) player_table: Mutex<KnownTable>,
    /// When its lists were read ahead last; locked by whoever reads them ahead.
    pub(super) warm_up: Mutex<Option<WarmUp>>,
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

/// What the configuration says of pools and servers.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Every pool.
    pub pools: BTreeMap<PoolName, PoolSettings>,
    /// Every server that is named, and its pool.
    pub servers: BTreeMap<ServerName, PoolName>,
    /// What becomes of requests from other servers.
    pub unknown_servers: UnknownServers,
    /// How long after a round its server may void it; zero for not at all.
    pub void_own_within: Duration,
    /// Maximum age of a round from a game server, from its end to its arrival; zero allows any age.
    pub max_round_age: Duration,
}

/// Every pool that runs, and what else is declared; replaced as a whole.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    by_name: BTreeMap<PoolName, Arc<Pool>>,
    of_server: BTreeMap<ServerName, PoolName>,
    pub(super) unknown_servers: UnknownServers,
    pub(super) void_own_within: Duration,
    pub(super) max_round_age: Duration,
}

/// The pools that are in force. Cheap to clone; clones change together.
#[derive(Clone, Debug)]
pub(super) struct CurrentPools(Arc<RwLock<Arc<Pools>>>);

impl CurrentPools {
    pub(super) fn new(pools: Pools) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(pools))))
    }

    /// Those that are in force now.
    pub(super) fn now(&self) -> Arc<Pools> {
        // No code that could panic runs under the lock.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts what `change` makes of them in their place.
    pub(super) fn change(&self, change: impl FnOnce(&mut Pools)) {
        let mut changed = Pools::clone(&self.now());
        change(&mut changed);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(changed);
    }
}

impl Pool {
    fn new(
        (id, settings_id): (PoolId, SettingsId),
        name: PoolName,
        settings: PoolSettings,
    ) -> Self {
        Self {
            id,
            settings_id,
            name,
            settings,
            kept_players: Mutex::default(),
            player_table: Mutex::default(),
            warm_up: Mutex::default(),
            public_leaderboards: PublicCache::default(),
            public_players: PublicCache::default(),
            public_searches: PublicCache::default(),
            activity: Arc::default(),
            recent: Mutex::default(),
        }
    }

    /// This pool with what else than its ratings hangs on those settings; `None` where that is as it is.
    fn with(&self, settings: &PoolSettings) -> Option<Self> {
        let own = &self.settings;
        let changed = PoolSettings {
            model: own.model,
            parameters: own.parameters.clone(),
            theta_is_set: own.theta_is_set,
            challengers: own.challengers.clone(),
            ..settings.clone()
        };
        let key = (self.id, self.settings_id);
        (changed != *own).then(|| Self::new(key, self.name.clone(), changed))
    }
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
            let settings_id = tx.ensure_settings(&settings.parameters).await?;
            let pool = Pool::new((id, settings_id), name.clone(), settings.clone());
            by_name.insert(name.clone(), Arc::new(pool));
        }
        tx.commit().await?;
        Ok(Self {
            by_name,
            of_server: servers.clone(),
            unknown_servers: UnknownServers::default(),
            void_own_within: Duration::ZERO,
            max_round_age: Duration::ZERO,
        })
    }

    /// Takes over what can change while the service runs: no pool comes or goes, and none is rated otherwise.
    fn declare(&mut self, declared: &Declared) {
        for (name, settings) in &declared.pools {
            if let Some(pool) = self.by_name.get_mut(name)
                && let Some(changed) = pool.with(settings)
            {
                *pool = Arc::new(changed);
            }
        }
        let before = std::mem::take(&mut self.of_server);
        for (server, pool) in &declared.servers {
            // A pool that is not there yet waits for a restart, and its servers stay where they are.
            let pool = Some(pool).filter(|pool| self.by_name.contains_key(*pool));
            if let Some(pool) = pool.or_else(|| before.get(server)) {
                self.of_server.insert(server.clone(), pool.clone());
            }
        }
        self.unknown_servers = declared.unknown_servers;
        self.void_own_within = declared.void_own_within;
        self.max_round_age = declared.max_round_age;
    }

    /// Whether the configuration names the server.
    pub(super) fn is_declared(&self, server: &ServerName) -> bool {
        self.of_server.contains_key(server)
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
    configured: Option<ModelName>,
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
        let pools = self.pools.now();
        let answer = |pool: &Arc<Pool>| {
            let record = stored.iter().find(|record| record.id == pool.id);
            let parameters = &pool.settings.parameters;
            let servers = pools.of_server.iter();
            PoolAnswer {
                pool: pool.name.clone(),
                model: record
                    .map(|record| record.model)
                    .unwrap_or_default()
                    .name()
                    .to_owned(),
                theta: parameters.theta,
                rounds: record.map_or(0, |record| record.sums.predictions.rounds),
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
            pools: pools.all().map(answer).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Every configured pool, by name.
    #[must_use]
    pub fn all_pools(&self) -> Vec<Arc<Pool>> {
        self.pools.now().all().cloned().collect()
    }

    /// Takes over what of the configuration can change while the service runs: which servers there are and to which
    /// of the pools that run they belong, and what of these pools no rating hangs on. Requests in progress go on as they
    /// began.
    pub fn declare(&self, declared: &Declared) {
        self.pools.change(|pools| pools.declare(declared));
    }

    /// Whether the configuration names the server.
    pub(super) fn is_declared(&self, server: &ServerName) -> bool {
        self.pools.now().is_declared(server)
    }

    /// The pool that is meant: the one `named`, else the server's, else `default`.
    pub fn pool(
        &self,
        named: Option<&PoolName>,
        server: Option<&ServerName>,
    ) -> Result<Arc<Pool>, ServiceError> {
        let pools = self.pools.now();
        let of_server = server.and_then(|server| pools.of_server.get(server));
        let name = named.or(of_server).cloned().unwrap_or_default();
        pools
            .by_name
            .get(&name)
            .cloned()
            .ok_or(ServiceError::NoSuchPool(name))
    }
}
