//! Progress of the imports of rounds into this database. Each import runs in a process of its own.

use super::replay::lease::lease_cutoff;
use super::{Service, ServiceError};
use crate::api::{ImportAnswer, ImportsAnswer, ProgressAnswer};
use crate::domain::Progress;
use crate::random;
use crate::store::ImportRecord;

/// Import of rounds that this process runs, visible to other processes until it ends or stops reporting progress.
#[derive(Clone, Debug)]
pub struct ImportInProgress(ImportRecord);

impl Service {
    /// Registers an import of rounds, so that other processes see it. `source` names the input in messages to people.
    pub async fn begin_import(&self, source: &str) -> Result<ImportInProgress, ServiceError> {
        let now = self.clock.now();
        let import = ImportInProgress(ImportRecord {
            id: random::hex::<16>().map_err(ServiceError::internal)?,
            source: source.to_owned(),
            started_at: now,
            renewed_at: now,
            done: 0,
            total: None,
        });
        self.advance_import(&import, 0, None).await?;
        Ok(import)
    }

    /// Publishes the progress of an import of rounds in bytes: `done` bytes read, of `total` if the size is known.
    pub async fn advance_import(
        &self,
        import: &ImportInProgress,
        done: u64,
        total: Option<u64>,
    ) -> Result<(), ServiceError> {
        let record = ImportRecord {
            renewed_at: self.clock.now(),
            done,
            total,
            ..import.0.clone()
        };
        let mut tx = self.store.begin().await?;
        tx.save_import(&record).await?;
        Ok(tx.commit().await?)
    }

    /// Removes an import of rounds from the imports in progress, along with imports whose processes were killed.
    pub async fn end_import(&self, import: &ImportInProgress) -> Result<(), ServiceError> {
        let mut tx = self.store.begin().await?;
        tx.delete_imports(&import.0.id, lease_cutoff(self.clock.now()))
            .await?;
        tx.commit().await?;
        self.refresh_statistics().await;
        Ok(())
    }

    /// Lists the imports of rounds in progress, oldest first.
    pub async fn list_imports(&self) -> Result<ImportsAnswer, ServiceError> {
        let imports = self
            .imports()
            .await?
            .into_iter()
            .map(|import| ImportAnswer {
                progress: import.total.map(|total| {
                    let done = import.done;
                    ProgressAnswer::new(
                        Progress { done, total },
                        import.started_at,
                        import.renewed_at,
                    )
                }),
                source: import.source,
            });
        Ok(ImportsAnswer {
            imports: imports.collect(),
        })
    }

    /// Returns the sum of the progress of all imports of rounds whose size is known, in bytes.
    pub(super) async fn imported_bytes(&self) -> Result<Progress, ServiceError> {
        let imports = self.imports().await?.into_iter();
        let known = imports.filter_map(|import| Some((import.done, import.total?)));
        let sums = known.fold((0, 0), |(done, total), import| {
            (done + import.0, total + import.1)
        });
        let (done, total) = sums;
        Ok(Progress { done, total })
    }

    async fn imports(&self) -> Result<Vec<ImportRecord>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(tx.imports(lease_cutoff(self.clock.now())).await?)
    }
}
