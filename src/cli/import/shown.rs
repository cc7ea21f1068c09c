use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::database::with_retries;
use crate::service::{ImportUnderWay, Service, ServiceError};

/// How often the progress of an import is written, for others to see.
const EVERY: Duration = Duration::from_secs(2);

/// An import as others see it, on the dashboard for one.
pub(super) struct Shown<'run> {
    service: &'run Service,
    import: ImportUnderWay,
    /// When the progress was last written.
    written_at: Instant,
}

impl<'run> Shown<'run> {
    /// Shows others that those files are being imported.
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

    /// Shows others how many bytes are read, from time to time.
    pub(super) async fn tick(&mut self, bytes: &ProgressBar) -> Result<(), ServiceError> {
        if self.written_at.elapsed() < EVERY {
            return Ok(());
        }
        self.written_at = Instant::now();
        let (done, total) = (bytes.position(), bytes.length());
        let import = &self.import;
        with_retries(async || self.service.advance_import(import, done, total).await).await
    }

    /// Shows it no longer.
    pub(super) async fn end(&self) {
        if let Err(error) = self.service.end_import(&self.import).await {
            tracing::warn!(
                error = ?error, "The import is shown as under way for a quarter of a minute more"
            );
        }
    }
}

/// What an import of those files reads, for people.
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
