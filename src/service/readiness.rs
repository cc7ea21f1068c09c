use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Service, ServiceError};

/// When the last check of the database ended, and how; locked while one runs.
pub(super) type LastCheck = Arc<Mutex<Option<(Instant, Result<(), ServiceError>)>>>;

impl Service {
    /// Checks that the database could count a round: it answers, takes writes and has room on its disk.
    ///
    /// A check takes a connection that writes, and anybody may ask for one. So only one runs at a time, and
    /// its result is that of all who asked before it began to wait: however many ask, rounds do not wait.
    pub async fn check_ready(&self) -> Result<(), ServiceError> {
        let asked_at = Instant::now();
        let mut last = self.last_check.lock().await;
        if let Some((ended_at, result)) = &*last
            && *ended_at >= asked_at
        {
            return result.clone();
        }
        let result = self.store.check_room().await.map_err(ServiceError::from);
        *last = Some((Instant::now(), result.clone()));
        result
    }
}
