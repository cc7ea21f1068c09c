//! What everybody may see without a secret, computed once for all who ask within some seconds.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Service, ServiceError};
use crate::domain::Timestamp;

/// How many seconds everybody is shown the same.
const CACHED_SECONDS: i64 = 15;
/// How many pages are kept, of each pool and kind.
const KEPT: usize = 256;

/// The pages of one kind that everybody was shown lately, by what distinguishes them, and why there is no later one.
///
/// # Design
/// Everybody without a secret is one client, which computes pages in its turns to read. Whoever has waited for a turn looks
/// first whether the page was computed meanwhile, so that one is computed for all who wait for it.
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
    /// The page of that key: the one that was shown last, or what `work` computes where that was too long ago. While
    /// the database is away, or too many wait, it is the one that was shown last.
    pub(super) async fn get(
        &self,
        service: &Service,
        key: &Key,
        work: impl Future<Output = Result<Value, ServiceError>>,
    ) -> Result<Arc<Value>, ServiceError> {
        if let Some(page) = self.pages().fresh(key, service.now()) {
            return Ok(page);
        }
        let error = match self.compute(service, key, work).await {
            Ok(page) => return Ok(page),
            Err(error) => error,
        };
        match self.pages().shown.get(key) {
            Some((_, shown))
                if matches!(error, ServiceError::Unavailable(_) | ServiceError::Busy) =>
            {
                Ok(Arc::clone(shown))
            }
            _ => Err(error),
        }
    }

    /// Computes the page once it is the turn of this request, unless another has done so meanwhile.
    async fn compute(
        &self,
        service: &Service,
        key: &Key,
        work: impl Future<Output = Result<Value, ServiceError>>,
    ) -> Result<Arc<Value>, ServiceError> {
        let _turn = service.store.turn_to_read().await?;
        let now = service.now();
        {
            let pages = self.pages();
            if let Some(page) = pages.fresh(key, now) {
                return Ok(page);
            }
            if let Some(error) = pages.failure.recent(Instant::now()) {
                return Err(error);
            }
        }
        let computed = work.await;
        let mut pages = self.pages();
        match computed {
            Ok(computed) => {
                let computed = Arc::new(computed);
                pages.keep(key.clone(), now, &computed);
                Ok(computed)
            }
            Err(error) => {
                tracing::warn!(error = ?error, "A public page cannot be computed");
                if matches!(error, ServiceError::Unavailable(_)) {
                    pages.failure.remember(Instant::now(), error.clone());
                }
                Err(error)
            }
        }
    }

    fn pages(&self) -> MutexGuard<'_, Pages<Key, Value>> {
        // No code that could panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Key: Clone + Eq + Hash, Value> Pages<Key, Value> {
    /// The page, unless it was shown too long before `now`.
    fn fresh(&self, key: &Key, now: Timestamp) -> Option<Arc<Value>> {
        let (at, page) = self.shown.get(key)?;
        let is_fresh = (0..CACHED_SECONDS).contains(&now.whole_seconds_since(*at));
        is_fresh.then(|| Arc::clone(page))
    }

    /// Keeps a page, in place of the oldest where there are too many.
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

/// For how long after a failure nobody tries again.
const PAUSE: Duration = Duration::from_secs(1);

/// The last failure of something that many requests share. Those that waited for it fail with the same
/// error instead of trying again: a try may take as long as the timeout of the database, and they would
/// queue up, one try behind another.
#[derive(Debug, Default)]
pub(super) struct LastFailure(Option<(Instant, ServiceError)>);

impl LastFailure {
    /// A try ended at `now` with this error.
    pub(super) fn remember(&mut self, now: Instant, error: ServiceError) {
        self.0 = Some((now, error));
    }

    /// The error of the second before `now`; `None` where it is time to try again.
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
        let mut pages = Pages {
            shown: HashMap::new(),
            failure: LastFailure::default(),
        };
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
        failure.remember(first, ServiceError::NoPublicLeaderboard);
        assert!(failure.recent(first + PAUSE).is_none());
        let second = first + PAUSE;
        failure.remember(second, ServiceError::Busy);
        let last = second + PAUSE.saturating_sub(Duration::from_micros(1));
        assert!(matches!(failure.recent(last), Some(ServiceError::Busy)));
    }
}
