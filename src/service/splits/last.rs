use std::sync::Arc;
use std::time::Duration;

use quick_cache::Weighter;
use quick_cache::sync::{Cache, EntryAction, EntryResult};

use super::stored::{RatedPlayer, SplitTableRecord};
use crate::api::{AgedSplitTableAnswer, Seats, SplitTableAnswer, SplitsAnswer};
use crate::domain::{PlayerId, PoolName, RoundId, ServerName, Timestamp};
use crate::service::players::now::{CurrentPlayer, read_current_players};
use crate::service::rounds::list::find;
use crate::service::{Service, ServiceError};
use crate::store::{RoundFilter, StoreError};

/// Database timeout for reading a table of splits that is also in memory.
const TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum time between a table of splits and the end of the round that it was made for.
pub(crate) const MAX_ROUND: Duration = Duration::from_hours(3);
/// Maximum size of the cached tables of splits, in bytes of text. Suffices for a thousand servers with 24 players each.
const MAX_BYTES: u64 = 32 * 1024 * 1024;
/// Initial capacity of the cache for tables of splits, in game servers.
const EXPECTED_SERVERS: usize = 256;

impl Service {
    /// Returns the last table of splits that any instance computed for `server`. Computes nothing.
    ///
    /// While the database is unavailable, returns the last table that this instance has seen. Then it is unknown
    /// whether ratings have changed since.
    pub async fn last_splits(&self, server: &ServerName) -> Result<LastTable, ServiceError> {
        let reading = self.read_last_splits(server);
        let Some(remembered) = self.last_splits.0.get(server) else {
            return reading.await;
        };
        let reading = tokio::time::timeout(TIMEOUT, reading).await;
        match reading.unwrap_or(Err(StoreError::TimedOut.into())) {
            Err(ServiceError::Unavailable(cause)) => {
                tracing::warn!(
                    error = ?cause,
                    "The database does not answer; returning the server's last splits known to this instance"
                );
                let record = SplitTableRecord::from_text(&remembered.text)?;
                Ok(LastTable::new(record, self.clock.now(), None))
            }
            read => read,
        }
    }

    /// Returns the table of splits from which the teams of a round were probably made: the last one computed for the
    /// server between the end of its previous round and the end of this round. Returns `None` without such a table, or
    /// if it is no longer stored.
    ///
    /// # Errors
    /// Returns an error if the round is unknown or pruned.
    pub async fn splits_of_round(
        &self,
        server: ServerName,
        round_id: RoundId,
    ) -> Result<Option<LastTable>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server.clone(), round_id)).await?;
        let (pool, logged) = (found.pool, found.round.logged);
        let (ended_at, place) = (logged.round.ended_at(), logged.position);
        let filter = RoundFilter {
            server: Some(server.clone()),
            ..RoundFilter::default()
        };
        let before = tx
            .list_rounds(pool.id, &filter, Some((ended_at, place)), 1)
            .await?
            .pop()
            .map(|round| round.logged.round.ended_at());
        let earliest = ended_at.earlier(MAX_ROUND);
        let from = before.map_or(earliest, |before| before.max(earliest));
        let text = tx.past_split_table(&server, (from, ended_at)).await?;
        let record = text
            .as_deref()
            .map(SplitTableRecord::from_text)
            .transpose()?;
        Ok(record.map(|record| LastTable::new(record, self.clock.now(), None)))
    }

    async fn read_last_splits(&self, server: &ServerName) -> Result<LastTable, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let text = tx
            .split_table(server)
            .await?
            .ok_or_else(|| ServiceError::NoSplitTable(server.clone()))?;
        let record = SplitTableRecord::from_text(&text)?;
        let (table, ratings) = (&record.table, &record.ratings);
        let changed = match self.pool(Some(&table.pool), None) {
            Ok(pool) => {
                let players: Vec<PlayerId> = ratings.iter().map(|rated| rated.player).collect();
                let now = read_current_players(&mut tx, &pool, &players).await?;
                Some(rated(&now.players) != *ratings)
            }
            // The rating of a new player is unknown if the pool is no longer configured.
            Err(ServiceError::NoSuchPool(_)) => None,
            Err(error) => return Err(error),
        };
        drop(tx);
        self.last_splits.remember(server, table.computed_at, text);
        Ok(LastTable::new(record, self.clock.now(), changed))
    }
}

/// Last table of splits of a game server.
#[derive(Clone, Debug)]
pub struct LastTable {
    table: AgedSplitTableAnswer,
    /// Players who may be in a split, in the order of the request.
    players: Vec<PlayerId>,
}

impl LastTable {
    fn new(record: SplitTableRecord, now: Timestamp, ratings_changed: Option<bool>) -> Self {
        let players = record.ratings.iter().map(|rated| rated.player);
        Self {
            players: players.collect(),
            table: AgedSplitTableAnswer::new(record.table, now, ratings_changed),
        }
    }

    /// Returns the pool whose ratings made the table of splits.
    #[must_use]
    pub fn pool(&self) -> &PoolName {
        &self.table.table.pool
    }

    pub(crate) fn table(&self) -> &SplitTableAnswer {
        &self.table.table
    }

    /// Converts the table of splits into an answer of the API.
    #[must_use]
    pub fn answer(self, seats: Seats) -> SplitsAnswer {
        SplitsAnswer::new(self.table, self.players, seats)
    }
}

/// Cache of the last tables of splits that this instance has seen, for answers while the database is unavailable.
#[derive(Clone, Debug)]
pub(crate) struct LastSplits(Arc<Cache<ServerName, Arc<Remembered>, Bytes>>);

#[derive(Debug)]
struct Remembered {
    computed_at: Timestamp,
    text: String,
}

impl LastSplits {
    pub(crate) fn new() -> Self {
        let tables = Cache::with_weighter(EXPECTED_SERVERS, MAX_BYTES, Bytes);
        Self(Arc::new(tables))
    }

    /// Caches the table of splits of `server` that was computed at `computed_at`, unless a later table is cached.
    pub(crate) fn remember(&self, server: &ServerName, computed_at: Timestamp, text: String) {
        let table = Arc::new(Remembered { computed_at, text });
        let place = self.0.entry(server, None, |_, present| {
            if present.computed_at > computed_at {
                EntryAction::Retain(())
            } else {
                EntryAction::ReplaceWithGuard
            }
        });
        match place {
            EntryResult::Vacant(place) | EntryResult::Replaced(place, _) => {
                // A table that finds no room is not cached.
                let _remembered = place.insert(table);
            }
            EntryResult::Retained(()) | EntryResult::Removed(..) | EntryResult::Timeout => {}
        }
    }
}

/// Cache weight of a table of splits: the bytes of its text and of its server's name.
#[derive(Clone, Copy, Debug)]
struct Bytes;

impl Weighter<ServerName, Arc<Remembered>> for Bytes {
    fn weight(&self, server: &ServerName, table: &Arc<Remembered>) -> u64 {
        (server.as_str().len() + table.text.len()) as u64
    }
}

pub(crate) fn rated(players: &[CurrentPlayer]) -> Vec<RatedPlayer> {
    let players = players.iter();
    let rated = players.map(|player| RatedPlayer {
        player: player.record.id,
        rating: player.record.rating,
        known: player.is_known,
    });
    rated.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_unix_seconds(second).unwrap()
    }

    fn server(number: usize) -> ServerName {
        format!("server-{number}").parse().unwrap()
    }

    #[test]
    fn a_later_table_is_not_replaced_by_an_earlier_one() {
        let tables = LastSplits::new();
        assert!(tables.0.get(&server(1)).is_none());
        for (second, text, remembered) in [
            (5, "first", "first"),
            (6, "second", "second"),
            (5, "late", "second"),
            (6, "as new", "as new"),
        ] {
            tables.remember(&server(1), at(second), text.to_owned());
            assert_eq!(tables.0.get(&server(1)).unwrap().text, remembered);
        }
        assert!(tables.0.get(&server(2)).is_none());
    }

    #[test]
    fn many_servers_do_not_fill_the_memory() {
        let tables = LastSplits::new();
        let text = "x".repeat(1024 * 1024);
        for number in 0..64 {
            tables.remember(&server(number), at(0), text.clone());
        }
        assert!(!tables.0.is_empty());
        assert!(tables.0.weight() <= MAX_BYTES);
    }
}
