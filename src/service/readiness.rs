use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Service, ServiceError};

/// Ending time and result of the last database check. Locked during a check.
pub(super) type LastCheck = Arc<Mutex<Option<(Instant, Result<(), ServiceError>)>>>;

impl Service {
    /// Checks that the database answers, accepts writes and has free disk space.
    ///
    /// Anybody may ask for a check, and each check takes a write connection. So only one check runs at a time, and
    /// answers all requests that arrived before it began. However many clients ask, rounds do not wait.
    pub async fn check_ready(&self) -> Result<(), ServiceError> {
        let asked_at = Instant::now();
        let mut last = self.last_check.lock().await;
        if let Some((ended_at, result)) = &*last
            && *ended_at >= asked_at
        {
            return result.clone();
        }
        let result = self
            .store
            .check_disk_space()
            .await
            .map_err(ServiceError::from);
        *last = Some((Instant::now(), result.clone()));
        result
    }
}
