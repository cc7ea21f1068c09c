use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::ServiceError;
use crate::store::Store;

/// Whether the database could count a round.
///
/// A check takes a connection that writes, and anybody may ask for one. So only one runs at a time, and
/// its result is that of all who asked before it began to wait: however many ask, rounds do not wait.
#[derive(Clone, Debug)]
pub(super) struct Readiness {
    store: Store,
    last: Arc<Mutex<Option<LastCheck>>>,
}

/// When a check ended, and how.
type LastCheck = (Instant, Result<(), ServiceError>);

impl Readiness {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            last: Arc::default(),
        }
    }

    /// Fails where the database does not answer or takes no writes.
    pub(super) async fn check(&self) -> Result<(), ServiceError> {
        let asked_at = Instant::now();
        let mut last = self.last.lock().await;
        if let Some((ended_at, result)) = &*last
            && *ended_at >= asked_at
        {
            return result.clone();
        }
        let result = self.store.ping().await.map_err(ServiceError::from);
        *last = Some((Instant::now(), result.clone()));
        result
    }
}
