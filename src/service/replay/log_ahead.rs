//! The log is read ahead: the next page while the one before is computed.

use tokio_util::task::AbortOnDropHandle;

use super::log_page;
use crate::service::ServiceError;
use crate::store::{LogEntry, PoolId, Store, StoreError};

/// A page that is being read.
type Reading = AbortOnDropHandle<Result<Vec<LogEntry>, StoreError>>;

/// A pool's log, which is read a page at a time. What stands in it never changes, so that it does not matter when; only
/// a prune takes its beginning away.
#[derive(Debug)]
pub(super) struct LogAhead {
    store: Store,
    pool: PoolId,
    /// How much a page has at most.
    limit: u32,
    /// What stands behind a place of the log, where it is being read.
    next: Option<(u64, Reading)>,
}

impl LogAhead {
    /// The log of that pool, at most so much at a time.
    pub(super) fn new(store: &Store, pool: PoolId, limit: u32) -> Self {
        Self {
            store: store.clone(),
            pool,
            limit,
            next: None,
        }
    }

    /// What stands behind `position`; where that fills a page, begins to read what stands behind it.
    ///
    /// # Errors
    /// The database's.
    pub(super) async fn page(&mut self, position: u64) -> Result<Vec<LogEntry>, ServiceError> {
        let limit = self.limit as usize;
        let ahead = self.next.take().filter(|(behind, _)| *behind == position);
        let mut page = Vec::new();
        if let Some((_, reading)) = ahead {
            page = reading.await.map_err(ServiceError::internal)??;
        }
        if page.len() < limit {
            // More may have come since it was read ahead.
            let reading = self.read(position);
            page = reading.await.map_err(ServiceError::internal)??;
        }
        if page.len() >= limit
            && let Some(last) = page.last().map(LogEntry::position)
        {
            self.next = Some((last, self.read(last)));
        }
        Ok(page)
    }

    fn read(&self, position: u64) -> Reading {
        let (store, pool, limit) = (self.store.clone(), self.pool, self.limit);
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut tx = store.begin_read().await?;
            log_page(&mut tx, pool, position, limit).await
        }))
    }
}
