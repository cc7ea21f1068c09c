use std::collections::HashMap;

use crate::domain::{GameWindow, PastGame, PlayerId};
use crate::service::{Pool, Service, ServiceError};

impl Service {
    /// The last games of each of `players` in the pool within the window, those that ended last first; of somebody
    /// who has none nothing.
    ///
    /// # Errors
    /// The database's.
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
