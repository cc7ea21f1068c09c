//! Caches of public pages, which are computed once for all clients that ask within some seconds.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::{Service, ServiceError};
use crate::domain::Timestamp;

/// Time for which a public page is cached, in seconds.
const CACHED_SECONDS: i64 = 15;
/// Maximum number of cached public pages per pool and kind of page.
const KEPT: usize = 256;

/// Cache of a pool's public pages of one kind, with the last failure to compute such a page.
///
/// # Design
/// All clients without a secret share the turns of one client in the fair queue of database reads. A request
/// that waited for a turn first checks whether the page was computed meanwhile, so that a page is computed once for all
/// waiting requests.
#[derive(Debug)]
pub(super) struct PublicCache<Key, Value>(Mutex<Pages<Key, Value>>);

#[derive(Debug)]
struct Pages<Key, Value> {
    shown: HashMap<Key, (Timestamp, Arc<Value>)>,
    failure: LastFailure,
}

impl<Key, Value> Default for PublicCache<Key, Value> {
    fn default() -> Self {
        Self(Mutex::new(Pages {
            shown: HashMap::new(),
            failure: LastFailure::default(),
        }))
    }
}

impl<Key: Clone + Eq + Hash, Value> PublicCache<Key, Value> {
    /// Returns the cached public page, or computes it with `work` if the cached one is too old. If the database is
    /// unavailable or too many requests wait, returns the outdated page.
    pub(super) async fn get(
        &self,
        service: &Service,
        key: &Key,
        work: impl Future<Output = Result<Value, ServiceError>>,
    ) -> Result<Arc<Value>, ServiceError> {
        if let Some(page) = self.0.lock().fresh(key, service.now()) {
            return Ok(page);
        }
        let error = match self.compute(service, key, work).await {
            Ok(page) => return Ok(page),
            Err(error) => error,
        };
        match self.0.lock().shown.get(key) {
            Some((_, shown))
                if matches!(error, ServiceError::Unavailable(_) | ServiceError::Busy) =>
            {
                Ok(Arc::clone(shown))
            }
            _ => Err(error),
        }
    }

    /// Waits in the fair queue of database reads, then computes the public page unless it was computed meanwhile.
    async fn compute(
        &self,
        service: &Service,
        key: &Key,
        work: impl Future<Output = Result<Value, ServiceError>>,
    ) -> Result<Arc<Value>, ServiceError> {
        let _turn = service.store.turn_to_read().await?;
        let now = service.now();
        {
            let pages = self.0.lock();
            if let Some(page) = pages.fresh(key, now) {
                return Ok(page);
            }
            if let Some(error) = pages.failure.recent(Instant::now()) {
                return Err(error);
            }
        }
        let computed = work.await;
        let mut pages = self.0.lock();
        match computed {
            Ok(computed) => {
                let computed = Arc::new(computed);
                pages.keep(key.clone(), now, &computed);
                Ok(computed)
            }
            Err(error) => {
                tracing::warn!(error = ?error, "Cannot make a public page; its visitors see an error");
                if matches!(error, ServiceError::Unavailable(_)) {
                    pages.failure.remember(Instant::now(), error.clone());
                }
                Err(error)
            }
        }
    }
}

impl<Key: Clone + Eq + Hash, Value> Pages<Key, Value> {
    fn fresh(&self, key: &Key, now: Timestamp) -> Option<Arc<Value>> {
        let (at, page) = self.shown.get(key)?;
        let is_fresh = (0..CACHED_SECONDS).contains(&now.whole_seconds_since(*at));
        is_fresh.then(|| Arc::clone(page))
    }

    fn keep(&mut self, key: Key, now: Timestamp, page: &Arc<Value>) {
        if self.shown.len() >= KEPT && !self.shown.contains_key(&key) {
            let oldest = self.shown.iter().min_by_key(|(_, (at, _))| *at);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.shown.remove(&oldest);
            }
        }
        self.shown.insert(key, (now, Arc::clone(page)));
    }
}

/// Time after a failed computation of a shared answer, such as a public page, during which requests get its error at
/// once.
const PAUSE: Duration = Duration::from_secs(1);

/// Last failure to compute an answer that many requests share, such as a public page. Requests that waited for the
/// answer fail with the same error. Retries would queue up one behind another, each taking as long as the timeout of
/// the database.
#[derive(Debug, Default)]
pub(super) struct LastFailure(Option<(Instant, ServiceError)>);

impl LastFailure {
    pub(super) fn remember(&mut self, now: Instant, error: ServiceError) {
        self.0 = Some((now, error));
    }

    /// Returns the error of a computation that failed within the second before `now`; `None` if it may be tried again.
    pub(super) fn recent(&self, now: Instant) -> Option<ServiceError> {
        let (when, error) = self.0.as_ref()?;
        let is_recent = now.saturating_duration_since(*when) < PAUSE;
        is_recent.then(|| error.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_page_makes_room() {
        let mut pages = PublicCache::default().0.into_inner();
        let at = |second| Timestamp::from_unix_seconds(second).unwrap();
        for (key, second) in (0..KEPT + 2).zip(100..) {
            pages.keep(key, at(second), &Arc::new(key));
        }
        pages.keep(2, at(1000), &Arc::new(7));
        assert_eq!(pages.shown.len(), KEPT);
        let missing: Vec<_> = (0..KEPT + 2)
            .filter(|key| !pages.shown.contains_key(key))
            .collect();
        assert_eq!(missing, [0, 1]);
        assert_eq!(*pages.shown[&2].1, 7);
    }

    #[test]
    fn the_latest_failure_lasts_for_a_second() {
        let mut failure = LastFailure::default();
        let first = Instant::now();
        assert!(failure.recent(first).is_none(), "nothing has failed yet");
        failure.remember(first, ServiceError::NoPublicPage);
        assert!(failure.recent(first + PAUSE).is_none());
        let second = first + PAUSE;
        failure.remember(second, ServiceError::Busy);
        let last = second + PAUSE.saturating_sub(Duration::from_micros(1));
        assert!(matches!(failure.recent(last), Some(ServiceError::Busy)));
    }
}
