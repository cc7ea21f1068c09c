//! Dashboard sessions ended by a log-out, and used log-in links, for all instances and across restarts.

use super::{Service, ServiceError};
use crate::domain::Timestamp;

impl Service {
    /// Ends the dashboard session or the log-in link `id`, which would otherwise expire at `ends_at`. Returns `false` if
    /// it had ended before, at any instance.
    pub async fn end_session(&self, id: &str, ends_at: Timestamp) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.delete_over_sessions(self.clock.now()).await?;
        let is_first = tx.end_session(id, ends_at).await?;
        tx.commit().await?;
        Ok(is_first)
    }

    /// Returns `true` if a log-out at any instance ended the dashboard session `id`.
    pub async fn has_ended_session(&self, id: &str) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.has_ended_session(id).await?)
    }
}
