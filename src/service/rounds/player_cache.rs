use super::batch_players::BatchPlayers;
use crate::domain::Report;
use crate::service::Pool;
use crate::store::{PoolRecord, StoreError, Tx};

/// Cache of the players of a pool between batches of rounds. Each batch reads only the players missing in the cache.
///
/// Holds the pool's record as the last batch wrote it, which any other write to the pool changes, and the players. `None`
/// while a batch uses the players, and after a failed batch.
#[derive(Debug, Default)]
pub(crate) struct PlayerCache(Option<(PoolRecord, BatchPlayers)>);

impl PlayerCache {
    /// Returns the players that `rounds` need, reading only those not cached. The cache is valid only while `record`,
    /// the pool's row locked in `tx`, equals the row that the last batch wrote.
    pub(crate) async fn take(
        &mut self,
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        rounds: &[&Report],
    ) -> Result<BatchPlayers, StoreError> {
        let mut players = match self.0.take() {
            Some((written, players)) if written == *record => players,
            _ => BatchPlayers::rated_by(&pool.settings.parameters),
        };
        players.read(tx, pool, record, rounds).await?;
        Ok(players)
    }

    /// Caches the players of a committed batch, which wrote the pool's `record`.
    pub(crate) fn keep(&mut self, record: PoolRecord, players: BatchPlayers) {
        self.0 = Some((record, players));
    }

    /// Returns the approximate memory use of the cached players in bytes, in time that grows with their number.
    pub(crate) fn size(&self) -> usize {
        let kept = self.0.as_ref();
        kept.map_or(0, |(_, players)| players.engine.size())
    }

    pub(crate) fn evict_half(&mut self) {
        if let Some((_, players)) = &mut self.0 {
            players.evict_half();
        }
    }

    /// Evicts half of the cached players if they may come to take more than about `bytes` bytes of memory.
    pub(crate) fn limit(&mut self, bytes: u64) {
        if let Some((_, players)) = &mut self.0
            && players.largest_size() > bytes
        {
            players.evict_half();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::PlayerId;
    use crate::service::Service;
    use crate::service::audit::Author;
    use crate::service::replay::testing;

    /// Returns the cached players, whom the next batch of rounds would not have to read.
    async fn usable(service: &Service) -> Vec<PlayerId> {
        let pool = service.pool(None, None).unwrap();
        let mut tx = service.store.begin().await.unwrap();
        let record = tx.lock_pool(pool.id).await.unwrap();
        let mut kept = pool.player_cache.lock().await;
        let players = kept.take(&mut tx, &pool, &record, &[]).await.unwrap();
        let mut ids: Vec<PlayerId> = players.engine.ids().collect();
        ids.sort_unstable();
        assert_eq!(players.last.len(), ids.len());
        kept.keep(record, players);
        ids
    }

    async fn assert_no_differences(service: &Service) {
        let pools = service.stored_pools().await.unwrap();
        let checked = service.check_pool(&pools[0], &mut |_| ()).await.unwrap();
        assert_eq!(checked.differences, 0, "{checked:#?}");
    }

    #[tokio::test]
    async fn players_are_kept_until_anybody_else_writes_to_their_pool() {
        let folder = tempfile::tempdir().unwrap();
        let service = testing::open(folder.path()).await;
        let other = testing::open(folder.path()).await;
        testing::record(&service, "1", [1, 2]).await;
        testing::record(&service, "2", [2, 3]).await;
        // A repeated round changes nothing.
        testing::record(&service, "2", [2, 3]).await;
        let all = [1, 2, 3].map(testing::player);
        assert_eq!(usable(&service).await, all);
        testing::record(&other, "3", [3, 4]).await;
        testing::record(&service, "4", [3, 4]).await;
        let last = [3, 4].map(testing::player);
        assert_eq!(usable(&service).await, last);
        assert_no_differences(&service).await;
        // A rebuild leaves the length of the log unchanged.
        let pools = other.stored_pools().await.unwrap();
        let mut watch = |_| ();
        let rebuilt = other.rebuild(&pools[0], Author::CommandLine, &mut watch);
        rebuilt.await.unwrap();
        assert_eq!(usable(&service).await, []);
        other.close().await;
        service.close().await;
    }

    #[tokio::test]
    async fn players_of_the_last_rounds_stay_where_room_is_short() {
        let folder = tempfile::tempdir().unwrap();
        let service = testing::open(folder.path()).await;
        for (name, players) in [("1", [1, 2]), ("2", [3, 4]), ("3", [5, 6])] {
            testing::record(&service, name, players).await;
        }
        let pool = service.pool(None, None).unwrap();
        pool.player_cache.lock().await.limit(1_000_000);
        assert_eq!(usable(&service).await.len(), 6);
        // With a window of 500 rounds, a player may take about 10,000 bytes.
        pool.player_cache.lock().await.limit(40_000);
        let last = [5, 6].map(testing::player);
        assert_eq!(usable(&service).await, last);
        testing::record(&service, "4", [1, 5]).await;
        let again = [1, 5, 6].map(testing::player);
        assert_eq!(usable(&service).await, again);
        assert_no_differences(&service).await;
        service.close().await;
    }
}
