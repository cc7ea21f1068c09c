use super::notices::later_plugin;
use crate::api::{HelloAnswer, HelloRequest, PluginVersionsAnswer, SplitsAnswer};
use crate::service::{MIN_PLUGIN, Pool, Service, ServiceError};

/// Returns the oldest and the newest version of the game servers' plugin that this service works with.
pub(super) fn plugin_versions() -> Result<PluginVersionsAnswer, ServiceError> {
    let latest = env!("CARGO_PKG_VERSION").parse();
    Ok(PluginVersionsAnswer {
        least: MIN_PLUGIN,
        latest: latest.map_err(ServiceError::internal)?,
    })
}

impl Service {
    /// Answers a game server of `pool` at the start of a map. Writes nothing except which notices the server has seen.
    pub async fn greet(
        &self,
        pool: &Pool,
        request: &HelloRequest,
    ) -> Result<HelloAnswer, ServiceError> {
        let server = &request.server;
        let now = self.clock.now();
        let mut tx = self.store.begin_read().await?;
        let players = self
            .player_cards(&mut tx, pool, &request.player_ids())
            .await?;
        let last_round_id = tx.last_round_of_server(pool.id, server, now).await?;
        drop(tx);
        let table = self.table_in(pool, request).await?;
        let plugin = plugin_versions()?;
        tracing::info!(
            %server, pool = %pool.name, map = request.map.as_ref().map(tracing::field::display),
            mode = request.mode.as_ref().map(tracing::field::display),
            plugin = request.plugin.map(tracing::field::display),
            "A game server started a map"
        );
        let mut notices = self.notices(server, &request.notices_seen).await;
        notices.extend(later_plugin(request.plugin, plugin.latest, now)?);
        Ok(HelloAnswer {
            server: server.clone(),
            declared: self.is_declared(server),
            pool: pool.name.clone(),
            shadow_rounds: pool.settings.parameters.shadow_rounds,
            time: now,
            players,
            table,
            policy: pool.settings.balance.policy.clone(),
            last_round_id,
            notices,
            plugin,
        })
    }

    /// Returns the splits last computed for the game server. `None` if there are none, or if they are of another pool.
    async fn table_in(
        &self,
        pool: &Pool,
        request: &HelloRequest,
    ) -> Result<Option<SplitsAnswer>, ServiceError> {
        let seats = request.seats.unwrap_or_default();
        match self.last_splits(&request.server).await {
            Ok(last) if *last.pool() == pool.name => Ok(Some(last.answer(seats))),
            Ok(_) | Err(ServiceError::NoSplitTable(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
