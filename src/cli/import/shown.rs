use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::database::with_retries;
use crate::service::{ImportInProgress, Service, ServiceError};

/// Interval at which the progress of an import is written to the database.
const EVERY: Duration = Duration::from_secs(2);

/// Progress of an import as other processes see it, for example on the dashboard.
pub(super) struct Shown<'run> {
    service: &'run Service,
    import: ImportInProgress,
    written_at: Instant,
}

impl<'run> Shown<'run> {
    pub(super) async fn begin(
        service: &'run Service,
        files: &[PathBuf],
    ) -> Result<Self, ServiceError> {
        let source = source(files);
        let import = with_retries(async || service.begin_import(&source).await).await?;
        Ok(Self {
            service,
            import,
            written_at: Instant::now(),
        })
    }

    /// Writes the number of bytes that the import has read to the database, if [`EVERY`] has passed since the last
    /// write.
    pub(super) async fn tick(&mut self, bytes: &ProgressBar) -> Result<(), ServiceError> {
        if self.written_at.elapsed() < EVERY {
            return Ok(());
        }
        self.written_at = Instant::now();
        let (done, total) = (bytes.position(), bytes.length());
        let import = &self.import;
        with_retries(async || self.service.advance_import(import, done, total).await).await
    }

    pub(super) async fn end(&self) {
        if let Err(error) = self.service.end_import(&self.import).await {
            tracing::warn!(
                error = ?error, "Cannot mark the import as ended; it is shown as running for 15 more seconds"
            );
        }
    }
}

fn source(files: &[PathBuf]) -> String {
    let first = files
        .first()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    match files.len() {
        0 | 1 => first,
        files => format!("{first} and {} more", files - 1),
    }
}
