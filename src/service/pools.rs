use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Service, ServiceError};
use crate::config::PoolSettings;
use crate::domain::{PoolName, ServerName};
use crate::store::{PoolId, SettingsId, Store, StoreError};

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
}

/// Every configured pool, and who belongs to which.
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
            let pool = Pool {
                id: tx.ensure_pool(name).await?,
                settings_id: tx.ensure_settings(&settings.parameters).await?,
                name: name.clone(),
                settings: settings.clone(),
            };
            by_name.insert(name.clone(), Arc::new(pool));
        }
        tx.commit().await?;
        Ok(Self {
            by_name,
            of_server: servers.clone(),
        })
    }
}

impl Pools {
    /// Every configured pool, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Pool>> {
        self.by_name.values()
    }
}

/// A configured pool as operators see it.
#[derive(Clone, Debug)]
pub struct PoolView {
    /// The pool.
    pub pool: Arc<Pool>,
    /// Its rounds that count.
    pub rounds: u64,
    /// The servers that are configured to be in it, by name.
    pub servers: Vec<ServerName>,
}

impl Service {
    /// Every configured pool, by name.
    pub async fn list_pools(&self) -> Result<Vec<PoolView>, ServiceError> {
        let stored = self.store.begin_read().await?.pools().await?;
        let view = |pool: &Arc<Pool>| {
            let record = stored.iter().find(|record| record.id == pool.id);
            let servers = self.pools.of_server.iter();
            PoolView {
                pool: Arc::clone(pool),
                rounds: record.map_or(0, |record| record.predictions.rounds),
                servers: servers
                    .filter(|(_, of)| **of == pool.name)
                    .map(|(server, _)| server.clone())
                    .collect(),
            }
        };
        Ok(self.pools.by_name.values().map(view).collect())
    }

    /// The pool that is meant: the one `named`, else the server's, else `default`.
    ///
    /// # Errors
    /// A pool that is not configured.
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
