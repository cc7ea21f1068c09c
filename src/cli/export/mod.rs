pub(crate) mod target;

use std::io;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::database::{Access, chosen_pools, must_exist, open};
use super::signals::{Interrupted, stop_signal};
use super::terminal::output::{AsJson, line, print_json};
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::{LogReader, Service};
use target::Target;

const PAGE: u32 = 500;

#[derive(Debug, Args)]
#[command(after_long_help = "\
With --json: an object with output, lines (how many in all) and pools (how many lines of each pool). With --output, the
object goes to standard output. Without --output, the exported lines go to standard output and the object goes to
standard error; to find it there, look for the only line with the field \"pools\".")]
pub(super) struct Export {
    /// Export only this pool [default: all pools, one after another]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Write to this file instead of standard output; compressed if its name ends in .gz. An existing file is replaced
    /// once the export is complete.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: AsJson,
}

#[derive(Serialize)]
struct Report<'run> {
    output: Option<&'run Path>,
    lines: u64,
    pools: Vec<PoolReport>,
}

#[derive(Serialize)]
struct PoolReport {
    pool: PoolName,
    lines: u64,
}

impl Export {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let service = open(&settings, Access::Read).await?;
        let written = match &self.output {
            None => {
                let mut output = BufWriter::new(io::stdout().lock());
                self.write(&service, &mut output).await
            }
            Some(path) => self.write_file(&service, path).await,
        };
        service.close().await;
        let pools = match written {
            Ok(pools) => pools,
            // The reader of the pipe has seen enough.
            Err(error) if is_broken_pipe(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        let lines = pools.iter().map(|pool| pool.lines).sum();
        tracing::info!(lines, "Exported");
        if !self.report.json {
            return Ok(());
        }
        let output = self.output;
        let report = Report {
            output: output.as_deref(),
            lines,
            pools,
        };
        // Standard output has either the lines or the report.
        if output.is_some() {
            return print_json(&report);
        }
        let written = io::stderr().write_all(&line(&report)?);
        written.context("cannot write the report")
    }

    async fn write_file(&self, service: &Service, path: &Path) -> anyhow::Result<Vec<PoolReport>> {
        let target = Target::open(path)?;
        // Signals matter only if a partial file must be removed. For a pipe whose reader has stopped reading, waiting
        // for signals would keep the default handler from ending the program.
        if !target.leaves_something() {
            return self.fill(service, path, target).await;
        }
        let stop = stop_signal()?;
        tokio::select! {
            written = self.fill(service, path, target) => written,
            () = stop => Err(Interrupted.into()),
        }
    }

    async fn fill(
        &self,
        service: &Service,
        path: &Path,
        target: Target,
    ) -> anyhow::Result<Vec<PoolReport>> {
        let failed = || format!("cannot write {}", path.display());
        let mut output = BufWriter::new(target);
        let written = if path.extension().is_some_and(|extension| extension == "gz") {
            let mut compressed = GzEncoder::new(&mut output, Compression::default());
            let written = self.write(service, &mut compressed).await;
            let written = written.with_context(failed)?;
            compressed.finish().with_context(failed)?;
            written
        } else {
            let written = self.write(service, &mut output).await;
            written.with_context(failed)?
        };
        let output = output.into_inner().map_err(io::Error::from);
        output.with_context(failed)?.finish()?;
        Ok(written)
    }

    async fn write(
        &self,
        service: &Service,
        output: &mut impl Write,
    ) -> anyhow::Result<Vec<PoolReport>> {
        let mut written = Vec::new();
        for pool in chosen_pools(service, self.pool.as_ref()).await? {
            let mut lines = 0;
            let mut reader = LogReader::default();
            while let Some(page) = service.read_log(&pool, &mut reader, PAGE).await? {
                for line in &page {
                    serde_json::to_writer(&mut *output, line)?;
                    output.write_all(b"\n")?;
                    lines += 1;
                }
            }
            written.push(PoolReport {
                pool: pool.name,
                lines,
            });
        }
        output.flush()?;
        Ok(written)
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
