//! Read-ahead of a pool's log. Reads the next page, and optionally its players, while the current page is computed.

use tokio_util::task::AbortOnDropHandle;

use super::{Replay, log_page};
use crate::domain::PlayerSet;
use crate::service::ServiceError;
use crate::store::{LogEntry, PoolId, Store};

/// Log of a pool, read page by page. Pages can be read early, because entries never change. Only a prune removes
/// entries.
#[derive(Debug)]
pub(super) struct PrefetchedLog {
    store: Store,
    pool: PoolId,
    limit: u32,
    /// Read-ahead in progress, with the log position after which its page begins.
    next: Option<(u64, Reading)>,
    /// Replay that loads the players of the next page of the log in advance. `None` while a background read uses it.
    reader: Option<Box<Replay>>,
}

type Reading = AbortOnDropHandle<Result<PageAhead, ServiceError>>;

struct PageAhead {
    page: Vec<LogEntry>,
    /// Replay that holds the players of the page who were not in memory when the page was read.
    reader: Option<Box<Replay>>,
}

/// Replay that loads players for the next page of the log, with the players that it must not load: those in memory
/// already, and those whom the current page changes.
type PlayerReader = (Box<Replay>, PlayerSet);

impl PrefetchedLog {
    pub(super) fn new(store: &Store, pool: PoolId, limit: u32) -> Self {
        Self {
            store: store.clone(),
            pool,
            limit,
            next: None,
            reader: None,
        }
    }

    /// Enables the read-ahead of players by `reader`, an empty replay opened like the one passed to [`Self::page`].
    pub(super) fn read_players_by(&mut self, reader: Replay) {
        self.reader = Some(Box::new(reader));
    }

    /// Returns the page of log entries after `position`. If the page is full and `ahead` is set, starts to read the
    /// next page. Moves players that were read ahead for this page into `replay`.
    pub(super) async fn page(
        &mut self,
        (position, ahead): (u64, bool),
        mut replay: Option<&mut Replay>,
    ) -> Result<Vec<LogEntry>, ServiceError> {
        let limit = self.limit as usize;
        let read = self.next.take().filter(|(behind, _)| *behind == position);
        let mut page = Vec::new();
        if let Some((_, reading)) = read {
            let mut read = reading.await.map_err(ServiceError::internal)??;
            if let (Some(replay), Some(reader)) = (&mut replay, &mut read.reader) {
                replay.take_in(reader);
            }
            (page, self.reader) = (read.page, read.reader);
        }
        if page.len() < limit {
            // Entries may have been added since the page was read ahead.
            let reading = self.read(position, None);
            page = reading.await.map_err(ServiceError::internal)??.page;
        }
        if ahead
            && page.len() >= limit
            && let Some(last) = page.last().map(LogEntry::position)
        {
            let reader = replay.and_then(|replay| self.reader_behind(replay, &page));
            self.next = Some((last, self.read(last, reader)));
        }
        Ok(page)
    }

    /// Returns the replay that loads players for the log entries after `page`, the page that `replay` is about to
    /// compute. Players outside `page` can be loaded now, because `page` does not change them.
    fn reader_behind(&mut self, replay: &Replay, page: &[LogEntry]) -> Option<PlayerReader> {
        let mut reader = self.reader.take()?;
        reader.position = replay.position;
        reader.settings.clone_from(&replay.settings);
        let mut known: PlayerSet = replay.engine.ids().collect();
        known.extend(replay.appearances(page).players());
        Some((reader, known))
    }

    fn read(&self, position: u64, reader: Option<PlayerReader>) -> Reading {
        let (store, pool, limit) = (self.store.clone(), self.pool, self.limit);
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut tx = store.begin_read().await?;
            let page = log_page(&mut tx, pool, position, limit).await?;
            let Some((mut reader, known)) = reader else {
                return Ok(PageAhead { page, reader: None });
            };
            let mut appearances = reader.appearances(&page);
            appearances.remove(&known);
            reader.load_players(&mut tx, pool, &appearances).await?;
            let reader = Some(reader);
            Ok(PageAhead { page, reader })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::replay::load::Stored;
    use crate::service::replay::testing;

    #[tokio::test]
    async fn a_page_is_read_ahead_where_it_is_asked_for_and_used_either_way() {
        let folder = tempfile::tempdir().unwrap();
        let service = testing::open(folder.path()).await;
        let (one, other) = ([1, 2], [3, 4]);
        let rounds = [one, other, one, one, other, other, one, one, other];
        for (players, number) in rounds.into_iter().zip(1..) {
            testing::record(&service, &format!("round-{number}"), players).await;
        }
        let pool = service.pool(None, None).unwrap().id;
        let mut tx = service.store.begin_read().await.unwrap();
        let pool = tx.pool(pool).await.unwrap();
        let stored = Stored::of(pool.generation);
        let start = Replay::open_behind(&mut tx, &pool, 2, stored).await;
        let reader = Replay::open_behind(&mut tx, &pool, 2, stored).await;
        drop(tx);
        let mut replay = start.unwrap();
        let mut log = PrefetchedLog::new(&service.store, pool.id, 2);
        log.read_players_by(reader.unwrap());
        let mut pages = Vec::new();
        for (position, ahead) in [(2, true), (4, false), (6, true), (8, true)] {
            let page: Vec<u64> = log
                .page((position, ahead), Some(&mut replay))
                .await
                .unwrap()
                .iter()
                .map(LogEntry::position)
                .collect();
            pages.push((page, log.next.is_some()));
        }
        let expected = [
            (vec![3, 4], true),
            (vec![5, 6], false),
            (vec![7, 8], true),
            (vec![9], false),
        ];
        assert_eq!(pages, expected);
        // The players of the second page were read with it, in their state after the second round.
        let entries = |account| {
            let known = replay.engine.known(testing::player(account));
            known.map(|player| player.entries)
        };
        assert_eq!([1, 2, 3, 4].map(entries), [None, None, Some(1), Some(1)]);
        service.close().await;
    }
}
