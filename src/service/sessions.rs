//! Sessions of the dashboard that somebody has ended, for all instances and over restarts.

use super::{Service, ServiceError};
use crate::domain::Timestamp;

impl Service {
    /// Ends a session that would be over at `ends_at` anyway.
    pub async fn end_session(&self, id: &str, ends_at: Timestamp) -> Result<(), ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.delete_over_sessions(self.clock.now()).await?;
        tx.end_session(id, ends_at).await?;
        Ok(tx.commit().await?)
    }

    /// Whether somebody has ended the session.
    pub async fn has_ended_session(&self, id: &str) -> Result<bool, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.has_ended_session(id).await?)
    }
}
