use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::sync::broadcast::Sender;

use super::leaderboard::{PublicLeaderboard, PublicPlayer};
use super::players::listing::PlayerTableCache;
use super::public_cache::PublicCache;
use super::public_match::PublicMatch;
use super::quality::{CountedHours, RecentRounds};
use super::rounds::player_cache::PlayerCache;
use super::warm_up::WarmUp;
use super::webhooks::MAX_WAITING;
use super::{Service, ServiceError};
use crate::api::{PlayerCardAnswer, PoolAnswer, PoolsAnswer};
use crate::config::{PoolSettings, UnknownServers};
use crate::domain::{
    BotLevel, FieldProblem, PlayerId, PoolName, RoundId, ServerName, Side, TeamBots,
};
use crate::rating::{ModelName, ModelState};
use crate::store::{PoolId, PoolRecord, SettingsId, Store, StoreError, Tx};

/// Configured pool, with the caches of its data.
#[derive(Debug)]
pub struct Pool {
    pub(super) id: PoolId,
    /// Database key of the pool's rating constants.
    pub(super) settings_id: SettingsId,
    /// Name of the pool in the configuration.
    pub name: PoolName,
    /// Configured settings of the pool.
    pub settings: PoolSettings,
    /// Cache of the players of the pool's recent rounds. Locked while rounds are recorded.
    pub(super) player_cache: Mutex<PlayerCache>,
    pub(super) player_table: Mutex<PlayerTableCache>,
    /// Time and generation of the last warm-up, which reads the dashboard's lists of rounds and players into caches.
    /// Locked during a warm-up.
    pub(super) warm_up: Mutex<Option<WarmUp>>,
    pub(super) public_leaderboards: PublicCache<u64, PublicLeaderboard>,
    pub(super) public_players: PublicCache<PlayerId, PublicPlayer>,
    pub(super) public_searches: PublicCache<String, Vec<PlayerCardAnswer>>,
    /// Cache of the pages of rounds; `None` for rounds that have none.
    pub(super) public_matches: PublicCache<(ServerName, RoundId), Option<Arc<PublicMatch>>>,
    /// Cache of the pool's number of rounds in each hour. Locked while rounds are counted.
    pub(super) activity: Arc<Mutex<CountedHours>>,
    /// Cache of the pool's latest rounds with their predictions. Locked while rounds are read.
    pub(super) recent: Mutex<RecentRounds>,
    /// Queue of the messages to the pool's chat. A full queue drops its oldest message.
    pub(super) messages: Sender<Value>,
}

/// Pools and servers as the configuration declares them.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Settings of every configured pool, by pool name.
    pub pools: BTreeMap<PoolName, PoolSettings>,
    /// Pool of every server that the configuration names, by server name.
    pub servers: BTreeMap<ServerName, PoolName>,
    /// Treatment of requests from servers that the configuration does not name.
    pub unknown_servers: UnknownServers,
    /// Time after the arrival of a round during which its server may void it. Zero disables voids by servers.
    pub void_own_within: Duration,
    /// Maximum age of a round from a game server, from its end to its arrival. Zero allows any age.
    pub max_round_age: Duration,
}

/// Open pools, and the configuration of servers that can change while RBS runs. Replaced as a whole on every change.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    by_name: BTreeMap<PoolName, Arc<Pool>>,
    of_server: BTreeMap<ServerName, PoolName>,
    pub(super) unknown_servers: UnknownServers,
    pub(super) void_own_within: Duration,
    pub(super) max_round_age: Duration,
}

/// Shared handle to the pools and servers that are configured now. Cheap to clone; all clones see a change.
#[derive(Clone, Debug)]
pub(super) struct CurrentPools(Arc<RwLock<Arc<Pools>>>);

impl CurrentPools {
    pub(super) fn new(pools: Pools) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(pools))))
    }

    pub(super) fn now(&self) -> Arc<Pools> {
        Arc::clone(&self.0.read())
    }

    /// Replaces the configured pools and servers with a copy modified by `change`.
    pub(super) fn change(&self, change: impl FnOnce(&mut Pools)) {
        let mut changed = Pools::clone(&self.now());
        change(&mut changed);
        *self.0.write() = Arc::new(changed);
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
            player_cache: Mutex::default(),
            player_table: Mutex::default(),
            warm_up: Mutex::default(),
            public_leaderboards: PublicCache::default(),
            public_players: PublicCache::default(),
            public_searches: PublicCache::default(),
            public_matches: PublicCache::default(),
            activity: Arc::default(),
            recent: Mutex::default(),
            messages: Sender::new(MAX_WAITING),
        }
    }

    /// Returns the pool with new `settings`, except settings that affect ratings, with its queue, and with empty caches.
    /// `None` if nothing changes.
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
        (changed != *own).then(|| Self {
            messages: self.messages.clone(),
            ..Self::new(key, self.name.clone(), changed)
        })
    }

    /// Returns an error if the pool has no rating for the skill level of one of `bots`. The JSON pointer `place` leads to
    /// the parent of the bots in the request.
    pub(super) fn check_bots(&self, place: &str, bots: &TeamBots) -> Result<(), ServiceError> {
        let known = &self.settings.parameters.bots;
        let unknown = bots
            .iter()
            .filter(|(_, level, _)| known.of(level).is_none());
        let problems = unknown.map(|(side, level, _)| {
            let team = match side {
                Side::A => "a",
                Side::B => "b",
            };
            let field = format!("{place}/bots/{team}/{level}");
            FieldProblem::new(field, self.unknown_bot_level())
        });
        ServiceError::check(problems.collect())
    }

    pub(super) fn unknown_bot_level(&self) -> String {
        let name = &self.name;
        let bots = &self.settings.parameters.bots;
        let levels: Vec<&str> = bots.levels().map(BotLevel::as_str).collect();
        let known = match &levels[..] {
            [] => "none".to_owned(),
            levels => levels.join(", "),
        };
        format!(
            "is not a bot level of the pool {name}, which has {known}; leave it out, or set its rating \
             under [pools.{name}.bots]"
        )
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

    /// Applies the settings of a reloaded configuration that can change while the service runs. Adds and removes no
    /// pools, and changes no settings that affect ratings.
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
            // A new pool needs a restart. Until then, its servers keep their present pool.
            let pool = Some(pool).filter(|pool| self.by_name.contains_key(*pool));
            if let Some(pool) = pool.or_else(|| before.get(server)) {
                self.of_server.insert(server.clone(), pool.clone());
            }
        }
        self.unknown_servers = declared.unknown_servers;
        self.void_own_within = declared.void_own_within;
        self.max_round_age = declared.max_round_age;
    }

    pub(super) fn is_declared(&self, server: &ServerName) -> bool {
        self.of_server.contains_key(server)
    }

    pub(super) fn declared_servers(&self) -> impl Iterator<Item = &ServerName> {
        self.of_server.keys()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Pool>> {
        self.by_name.values()
    }
}

/// Sets the configured rating model for a pool with an empty log. Later, only `rbs switch` changes the model.
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
    /// Describes every configured pool, in order of pool names.
    pub async fn list_pools(&self) -> Result<PoolsAnswer, ServiceError> {
        let summaries = Box::pin(self.summaries()).await;
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
                summary: summaries.get(&pool.name).cloned(),
            }
        };
        Ok(PoolsAnswer {
            pools: pools.all().map(answer).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Returns every configured pool, in order of pool names.
    #[must_use]
    pub fn all_pools(&self) -> Vec<Arc<Pool>> {
        self.pools.now().all().cloned().collect()
    }

    /// Applies the settings of a reloaded configuration that can change while the service runs: the servers and their
    /// pools, and the settings of pools that do not affect ratings. Requests in progress keep the previous settings.
    pub fn declare(&self, declared: &Declared) {
        self.pools.change(|pools| pools.declare(declared));
    }

    pub(super) fn is_declared(&self, server: &ServerName) -> bool {
        self.pools.now().is_declared(server)
    }

    /// Returns the pool `named`, or else the server's pool, or else the pool `default`.
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
