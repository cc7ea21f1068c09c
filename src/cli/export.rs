use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::open;
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::Service;
use crate::store::DatabaseUrl;

/// Lines that are read from the database at once.
const PAGE: u32 = 500;

#[derive(Debug, Args)]
pub(super) struct Export {
    /// Only this pool; without it every pool, one after another.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Write to this file (compressed where it ends in .gz) in place of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        if let DatabaseUrl::Sqlite { path } = &settings.database {
            anyhow::ensure!(
                path.is_file(),
                "there is no database {}; check DATABASE_URL (database_url)",
                path.display()
            );
        }
        let service = open(&settings).await?;
        let written = match &self.output {
            None => {
                let mut output = BufWriter::new(io::stdout().lock());
                self.write(&service, &mut output).await
            }
            Some(path) => self.write_file(&service, path).await,
        };
        service.close().await;
        match written {
            // Whoever read the other end has seen enough.
            Err(error) if is_broken_pipe(&error) => Ok(()),
            other => other,
        }
    }

    /// Writes a file whole or not at all: what was there before stays until the new one is safe.
    async fn write_file(&self, service: &Service, path: &Path) -> anyhow::Result<()> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let failed = || format!("cannot write {}", partial.display());
        let file = File::create(&partial).with_context(failed)?;
        let mut output = BufWriter::new(file);
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut compressed = GzEncoder::new(output, Compression::default());
            self.write(service, &mut compressed).await?;
            output = compressed.finish().with_context(failed)?;
        } else {
            self.write(service, &mut output).await?;
        }
        let file = output
            .into_inner()
            .map_err(io::Error::from)
            .with_context(failed)?;
        file.sync_all().with_context(failed)?;
        std::fs::rename(&partial, path)
            .with_context(|| format!("cannot rename {} to {}", partial.display(), path.display()))
    }

    async fn write(&self, service: &Service, output: &mut impl Write) -> anyhow::Result<()> {
        let mut pools = service.stored_pools().await?;
        if let Some(wanted) = &self.pool {
            pools.retain(|pool| pool.name == *wanted);
            anyhow::ensure!(!pools.is_empty(), "the database has no pool \"{wanted}\"");
        }
        let mut lines = 0_u64;
        for pool in pools {
            let mut position = 0;
            loop {
                let page = service.read_log(&pool, position, PAGE).await?;
                let Some((last, _)) = page.last() else { break };
                position = *last;
                for (_, line) in &page {
                    serde_json::to_writer(&mut *output, line)?;
                    output.write_all(b"\n")?;
                    lines += 1;
                }
            }
        }
        output.flush()?;
        tracing::info!(lines, "Exported");
        Ok(())
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let inside = cause.downcast_ref::<serde_json::Error>();
        let kind = kind.or_else(|| inside.and_then(serde_json::Error::io_error_kind));
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}
