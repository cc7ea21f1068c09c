use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::ServiceError;
use crate::store::Store;

/// Whether the database could count a round.
///
/// Finding out takes a connection that writes, and anybody may ask. So it is found out for one at a
/// time, and what is found holds for all who have asked by then: however many ask, rounds are not
/// kept waiting.
#[derive(Clone, Debug)]
pub(super) struct Readiness {
    store: Store,
    last: Arc<Mutex<Option<Found>>>,
}

/// What was found, and when.
#[derive(Debug)]
struct Found {
    at: Instant,
    result: Result<(), ServiceError>,
}

impl Readiness {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            last: Arc::default(),
        }
    }

    pub(super) async fn check(&self) -> Result<(), ServiceError> {
        let asked_at = Instant::now();
        let mut last = self.last.lock().await;
        if let Some(found) = &*last
            && found.at >= asked_at
        {
            return found.result.clone();
        }
        let result = self.store.ping().await.map_err(ServiceError::from);
        *last = Some(Found {
            at: Instant::now(),
            result: result.clone(),
        });
        result
    }
}
