use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::cli::database::with_retries;
use crate::service::{ImportUnderWay, Service, ServiceError};

/// How often others are told how far an import is.
const EVERY: Duration = Duration::from_secs(2);

/// An import as others see it, on the dashboard for one.
pub(super) struct Shown<'run> {
    service: &'run Service,
    import: ImportUnderWay,
    /// When they were last told.
    told_at: Instant,
}

impl<'run> Shown<'run> {
    /// Has others see that those files are being imported.
    pub(super) async fn begin(
        service: &'run Service,
        files: &[PathBuf],
    ) -> Result<Self, ServiceError> {
        let source = source(files);
        let import = with_retries(async || service.begin_import(&source).await).await?;
        Ok(Self {
            service,
            import,
            told_at: Instant::now(),
        })
    }

    /// Has others see how many bytes are read, from time to time.
    pub(super) async fn tick(&mut self, bytes: &ProgressBar) -> Result<(), ServiceError> {
        if self.told_at.elapsed() < EVERY {
            return Ok(());
        }
        self.told_at = Instant::now();
        let (done, total) = (bytes.position(), bytes.length());
        let import = &self.import;
        with_retries(async || self.service.advance_import(import, done, total).await).await
    }

    /// Has others see it no longer.
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
    let first = files.first().map(|path| path.display().to_string());
    let first = first.unwrap_or_default();
    match files.len() {
        0 | 1 => first,
        files => format!("{first} and {} more", files - 1),
    }
}
