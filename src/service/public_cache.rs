//! What everybody may see without a secret, computed once for all who ask within some seconds.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Mutex;

use super::last_failure::LastFailure;
use super::standby::Reading;
use super::{Service, ServiceError};
use crate::domain::Timestamp;

/// How many seconds everybody is shown the same.
const CACHED_SECONDS: i64 = 15;
/// How many pages are kept, of each pool and kind.
const KEPT: usize = 256;

/// The pages of one kind that everybody was shown lately, by what distinguishes them, and why there is no later one.
///
/// # Design
/// Whoever asks for one while another is computed waits for that: however many strangers ask, each pool is read for
/// them one page at a time.
#[derive(Debug)]
pub(super) struct PublicCache<Key, Value>(Mutex<Pages<Key, Value>>);

#[derive(Debug)]
struct Pages<Key, Value> {
    shown: HashMap<Key, (Timestamp, Arc<Reading<Value>>)>,
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
    /// the database is away, it is the one that was shown last.
    pub(super) async fn get<Work>(
        &self,
        service: &Service,
        key: &Key,
        work: impl Fn(Service) -> Work,
    ) -> Result<Arc<Reading<Value>>, ServiceError>
    where
        Work: Future<Output = Result<Value, ServiceError>>,
    {
        let now = service.now();
        let mut pages = self.0.lock().await;
        if let Some((at, shown)) = pages.shown.get(key)
            && (0..CACHED_SECONDS).contains(&now.whole_seconds_since(*at))
        {
            return Ok(Arc::clone(shown));
        }
        let error = match pages.failure.recent(Instant::now()) {
            Some(error) => error,
            None => match service.read(work).await {
                Ok(computed) => {
                    let computed = Arc::new(computed);
                    pages.keep(key.clone(), now, &computed);
                    return Ok(computed);
                }
                Err(error) => {
                    tracing::warn!(error = ?error, "A public page cannot be computed");
                    if matches!(error, ServiceError::Unavailable(_)) {
                        pages.failure.remember(Instant::now(), error.clone());
                    }
                    error
                }
            },
        };
        match pages.shown.get(key) {
            Some((_, shown)) if matches!(error, ServiceError::Unavailable(_)) => {
                Ok(Arc::clone(shown))
            }
            _ => Err(error),
        }
    }
}

impl<Key: Clone + Eq + Hash, Value> Pages<Key, Value> {
    /// Keeps a page, in place of the oldest where there are too many.
    fn keep(&mut self, key: Key, now: Timestamp, page: &Arc<Reading<Value>>) {
        if self.shown.len() >= KEPT && !self.shown.contains_key(&key) {
            let oldest = self.shown.iter().min_by_key(|(_, (at, _))| *at);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.shown.remove(&oldest);
            }
        }
        self.shown.insert(key, (now, Arc::clone(page)));
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
        let page = |value| Arc::new(Reading { value, lag: None });
        let at = |second| Timestamp::from_unix_seconds(second).unwrap();
        for (key, second) in (0..KEPT + 2).zip(100..) {
            pages.keep(key, at(second), &page(key));
        }
        pages.keep(2, at(1000), &page(7));
        assert_eq!(pages.shown.len(), KEPT);
        let missing: Vec<_> = (0..KEPT + 2)
            .filter(|key| !pages.shown.contains_key(key))
            .collect();
        assert_eq!(missing, [0, 1]);
        assert_eq!(pages.shown[&2].1.value, 7);
    }
}
