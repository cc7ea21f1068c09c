//! The log is read ahead: the next page, and where it is asked for what its players were, while the one before is
//! computed.

use tokio_util::task::AbortOnDropHandle;

use super::{Replay, log_page};
use crate::domain::PlayerSet;
use crate::service::ServiceError;
use crate::store::{LogEntry, PoolId, Store};

/// A pool's log, which is read a page at a time. What stands in it never changes, so that it does not matter when; only
/// a prune takes its beginning away.
#[derive(Debug)]
pub(super) struct PrefetchedLog {
    store: Store,
    pool: PoolId,
    /// How much a page has at most.
    limit: u32,
    /// What stands behind a place of the log, where it is being read.
    next: Option<(u64, Reading)>,
    /// Reads the players, while no page is being read.
    reader: Option<Box<Replay>>,
}

/// A page that is being read.
type Reading = AbortOnDropHandle<Result<PageAhead, ServiceError>>;

/// A page that was read.
struct PageAhead {
    page: Vec<LogEntry>,
    /// Holds those of its players who were not known.
    reader: Option<Box<Replay>>,
}

/// A reader of players, and who need not be read.
type PlayerReader = (Box<Replay>, PlayerSet);

impl PrefetchedLog {
    /// The log of that pool, at most so much at a time.
    pub(super) fn new(store: &Store, pool: PoolId, limit: u32) -> Self {
        Self {
            store: store.clone(),
            pool,
            limit,
            next: None,
            reader: None,
        }
    }

    /// Has players read too, by a replay like the one that [`Self::page`] will be given, which holds nobody.
    pub(super) fn read_players_by(&mut self, reader: Replay) {
        self.reader = Some(Box::new(reader));
    }

    /// What stands behind `position`; where that fills a page and it is to read `ahead`, begins to read what stands
    /// behind it. A `replay` that is there is given the players who were read ahead for the page.
    ///
    /// # Errors
    /// The database's.
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
            // More may have come since it was read ahead.
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

    /// What reads players for the page behind this one, which `replay` is about to compute. Those whom this page does
    /// not concern are behind it what they are before it.
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

    /// Results are the same either way; nothing but the latency of rounds meanwhile shows it.
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
        let stored = Stored {
            active: pool.generation,
            written: None,
        };
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
        // Whom the second page concerns was read with it, as of the second round.
        let entries = |account| {
            let known = replay.engine.known(testing::player(account));
            known.map(|player| player.entries)
        };
        assert_eq!([1, 2, 3, 4].map(entries), [None, None, Some(1), Some(1)]);
        service.close().await;
    }
}
