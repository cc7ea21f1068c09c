//! Dashboard sessions ended by a log-out, for all instances and across restarts.

use super::{Service, ServiceError};
use crate::domain::Timestamp;

impl Service {
    /// Ends the dashboard session `id`, which would otherwise expire at `ends_at`.
    pub async fn end_session(&self, id: &str, ends_at: Timestamp) -> Result<(), ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.delete_over_sessions(self.clock.now()).await?;
        tx.end_session(id, ends_at).await?;
        Ok(tx.commit().await?)
    }

    /// Returns `true` if a log-out at any instance ended the dashboard session `id`.
    pub async fn has_ended_session(&self, id: &str) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.has_ended_session(id).await?)
    }
}
