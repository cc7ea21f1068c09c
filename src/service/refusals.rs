//! Refusals that survive a restart: groups of refused requests, and numbers of refused rounds by server and hour.

use super::servers::first_hour;
use super::{Service, ServiceError};
pub(crate) use crate::store::RefusalRecord;

impl Service {
    /// Returns the stored groups of refusals, the latest first, and takes over the numbers of refused rounds.
    pub async fn load_refusals(&self) -> Result<Vec<RefusalRecord>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let first = first_hour(self.clock.now());
        let counts = tx.refused_rounds(first).await?;
        self.servers_seen.load(counts);
        Ok(tx.refusals().await?)
    }

    /// Stores groups of refusals, of which the database keeps the latest `most`, and the numbers of rounds that were
    /// refused since the last call. If that fails, the numbers are stored with the next call.
    pub async fn save_refusals(
        &self,
        refusals: &[RefusalRecord],
        most: u32,
    ) -> Result<(), ServiceError> {
        let unsaved = self.servers_seen.take_unsaved();
        if refusals.is_empty() && unsaved.is_empty() {
            return Ok(());
        }
        let first = first_hour(self.clock.now());
        let saving = async {
            let mut tx = self.store.begin().await?;
            for refusal in refusals {
                tx.save_refusal(refusal, most).await?;
            }
            for ((server, hour), rounds) in &unsaved {
                tx.add_refused_rounds(server, (*hour, *rounds), first)
                    .await?;
            }
            tx.commit().await
        };
        let saved = saving.await;
        if saved.is_err() {
            self.servers_seen.put_back(unsaved);
        }
        Ok(saved?)
    }
}
