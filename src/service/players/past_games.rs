use std::collections::HashMap;

use crate::domain::{GameWindow, PastGame, PlayerId};
use crate::service::{Pool, Service, ServiceError};

impl Service {
    /// Returns the last games (counted rounds) of each of `players` within `window`, latest end first. Players without
    /// games are left out.
    pub async fn past_games(
        &self,
        pool: &Pool,
        players: &[PlayerId],
        window: GameWindow,
    ) -> Result<HashMap<PlayerId, Vec<PastGame>>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.past_games(pool.id, players, window).await?)
    }
}
