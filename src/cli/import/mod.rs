pub(crate) mod batch_size;
mod changes;
pub(crate) mod lines;
mod logs_tf;
pub(crate) mod progress;
pub(crate) mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use tokio_util::sync::CancellationToken;

use super::database::{Access, check_models, open, with_retries};
use super::signals::{Interrupted, stop_signal};
use super::terminal::output::{AsJson, print, print_json};
use super::terminal::progress::Meter;
use crate::api::{LogLine, RoundChangeLine};
use crate::config::Settings;
use crate::domain::{PoolName, Report, SentName, ServerName, Timestamp};
use crate::service::{
    Author, ImportInProgress, ImportedRound, OnRefusal, Pool, RoundImport, Service, ServiceError,
};
use batch_size::BatchSize;
use lines::{Fault, Line, read_ahead};
use progress::{source, total_length};
use report::{Preview, Tally};

#[derive(Debug, Default, Args)]
#[command(after_long_help = "\
Match logs of logs.tf, the JSON of https://logs.tf/api/v1/log/NUMBER in files such as 3025052.json:

  rbs import --format logs-tf --server arena-1 --dry-run logs/*.json
  rbs import --format logs-tf --server arena-1 logs/*.json

Every round with a winner counts, RED as team a, the oldest first. Always give a log the same --server,
so that it counts once.

With --json: counted, duplicates, changes, bad, unread, skipped (rounds by reason), seconds, preview (draws,
players, first and last end; null without --dry-run), pools, each with its quality figures (null where the
import stopped before its end, and with --dry-run), and warning, a sentence or null.")]
pub(super) struct Import {
    /// Files of rounds, optionally compressed with gzip; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Format of the files.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: FileFormat,
    /// With --format logs-tf: name of the server where the rounds were played; they are rated in that server's pool.
    #[arg(long, value_name = "NAME", required_if_eq("format", "logs-tf"))]
    pub(super) server: Option<ServerName>,
    /// Rate all rounds in this pool, whatever pools the lines name.
    #[arg(long, value_name = "NAME")]
    pub(super) pool: Option<PoolName>,
    /// Skip and count bad lines instead of stopping at the first one; fails only if a file cannot be read to its end,
    /// or if no line is good.
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Import nothing; only show how many rounds would be imported.
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) report: AsJson,
    #[arg(skip)]
    pub(super) is_silent: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum FileFormat {
    /// One `POST /v1/update` request body per line
    #[default]
    Lines,
    /// One match log of logs.tf per file
    LogsTf,
}

/// Rounds of one pool that wait to be counted by an import, with their places in the files.
struct Batch {
    pool: Arc<Pool>,
    rounds: Vec<ImportedRound>,
    places: Vec<String>,
    names: Vec<SentName>,
}

/// Pools that lines of the import name but the settings lack. After the first such line, the import counts nothing
/// more, and only searches the remaining lines for more missing pools.
struct MissingPools {
    place: String,
    pools: BTreeSet<PoolName>,
}

struct Run<'run> {
    service: &'run Service,
    rounds: RoundImport<'run>,
    batch_size: BatchSize,
    options: &'run Import,
    progress: Meter,
    tally: Tally,
    /// Number of imported rounds that ended before the year 2000 or in the future, and the place of the first one.
    odd: Option<(u64, String)>,
    batch: Option<Batch>,
    missing: Option<MissingPools>,
    /// Entry by which other processes, such as the dashboard, see the progress.
    import: ImportInProgress,
    written_at: Instant,
    pools: BTreeMap<PoolName, Arc<Pool>>,
}

impl Import {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let signal = stop_signal()?;
        let progress = Meter::start(total_length(&self.files)?)?;
        let mut service = open(&settings, Access::Write).await?;
        check_models(&service, &settings).await?;
        service.prepare_for_bulk().await?;
        let source = source(&self.files);
        let mut run = Run {
            service: &service,
            rounds: service.import(),
            batch_size: BatchSize::default(),
            options: &self,
            progress,
            tally: Tally {
                preview: self.dry_run.then(Preview::default),
                ..Tally::default()
            },
            odd: None,
            batch: None,
            missing: None,
            import: with_retries(async || service.begin_import(&source).await).await?,
            written_at: Instant::now(),
            pools: BTreeMap::new(),
        };
        let stop = CancellationToken::new();
        let stopping = tokio::spawn({
            let (service, stop) = (service.clone(), stop.clone());
            async move {
                signal.await;
                stop.cancel();
                // A void in a file may take long. It is undone if stopped.
                service.stop_rebuilds();
            }
        });
        let result = run.import_files(&stop).await;
        stopping.abort();
        if let Err(error) = service.end_import(&run.import).await {
            tracing::warn!(
                error = ?error, "Cannot mark the import as ended; it is shown as running for 15 more seconds"
            );
        }
        let (tally, took) = (run.tally, run.progress.finish());
        let warning = run
            .odd
            .map(|(rounds, place)| report::odd_times(rounds, &place));
        // After an error, only the tally is printed, without the figures.
        let mut figures = Vec::new();
        if result.is_ok() {
            for pool in run.pools.values() {
                figures.push(service.quality_report(pool).await?);
            }
        }
        service.close().await;
        if self.report.json {
            let pools = (result.is_ok() && !self.dry_run).then_some(&*figures);
            print_json(&report::for_programs(&tally, took, pools, warning))?;
        } else if !self.is_silent {
            let mut text = Vec::new();
            report::print_tally(&mut text, &tally, took)?;
            if let Some(warning) = warning {
                writeln!(text, "Warning:          {warning}")?;
            }
            for quality in &figures {
                report::print_quality(&mut text, quality)?;
            }
            print(&text)?;
        }
        result.and_then(|()| tally.verdict())
    }
}

pub(super) fn pool_of(line: &LogLine) -> Option<&PoolName> {
    match line {
        LogLine::Round(report) => report.parts().pool.as_ref(),
        LogLine::Change(line) => Some(&line.pool),
        LogLine::Season(line) => Some(&line.pool),
        LogLine::RoundChange(_) | LogLine::Undo(_) => None,
    }
}

impl Run<'_> {
    async fn import_files(&mut self, stop: &CancellationToken) -> anyhow::Result<()> {
        let (files, bytes) = (self.options.files.clone(), self.progress.bar.clone());
        let (mut lines, reading) = match (self.options.format, self.options.server.clone()) {
            (FileFormat::Lines, None) => read_ahead(files, bytes),
            (FileFormat::LogsTf, Some(server)) => logs_tf::read_ahead(files, server, bytes),
            _ => anyhow::bail!("--server is for --format logs-tf only; leave it out"),
        };
        loop {
            let line = tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Interrupted.into()),
                line = lines.recv() => line,
            };
            let Some(Line { place, content }) = line else {
                break;
            };
            if let Some(missing) = &mut self.missing {
                let pool = content.as_ref().ok().and_then(|(line, _)| pool_of(line));
                let is_there = |pool| self.service.pool(Some(pool), None).is_ok();
                missing
                    .pools
                    .extend(pool.filter(|pool| !is_there(pool)).cloned());
                continue;
            }
            match content {
                Ok((LogLine::Round(report), names)) => {
                    self.take_round(place, report, names).await?;
                }
                Ok(_) if self.options.dry_run => self.tally.changes += 1,
                Ok((LogLine::Change(line), _)) => {
                    let make = async |service: &Service, pool: &Pool| {
                        service
                            .apply_change(pool, line.clone(), Author::CommandLine)
                            .await
                    };
                    self.change_pool(&place, &line.pool, make).await?;
                }
                Ok((LogLine::RoundChange(line), _)) => self.take_round_change(place, line).await?,
                Ok((LogLine::Undo(line), _)) => {
                    self.count_batch().await?;
                    let done = with_retries(async || self.service.apply_undo(line.clone()).await);
                    self.take_outcome(&place, done.await)?;
                }
                Ok((LogLine::Season(line), _)) => {
                    let make = async |service: &Service, pool: &Pool| {
                        Box::pin(service.apply_season(pool, line.clone(), Author::CommandLine))
                            .await
                    };
                    self.change_pool(&place, &line.pool, make).await?;
                }
                Err(Fault::Skipped(reason)) => *self.tally.skipped.entry(reason).or_default() += 1,
                Err(fault) => {
                    self.count_batch().await?;
                    self.refuse(&place, &fault)?;
                }
            }
        }
        anyhow::ensure!(reading.join().is_ok(), "reading the files failed");
        if let Some(MissingPools { place, pools }) = &self.missing {
            let pools: Vec<String> = pools.iter().map(|pool| format!("\"{pool}\"")).collect();
            anyhow::bail!(
                "{place}: the configuration does not declare the pools {}; declare each with [pools.NAME], or rate all \
                 rounds in one pool with --pool, and run the import again: no round is counted twice",
                pools.join(", ")
            );
        }
        self.count_batch().await
    }

    async fn take_round(
        &mut self,
        place: String,
        mut report: Report,
        names: Vec<SentName>,
    ) -> anyhow::Result<()> {
        if let Some(pool) = &self.options.pool {
            report = report.in_pool(pool.clone());
        }
        let parts = report.parts();
        let is_odd = |at: Timestamp| at < Timestamp::YEAR_2000 || at > self.service.now();
        if parts.ended_at.is_some_and(is_odd) {
            self.odd.get_or_insert_with(|| (0, place.clone())).0 += 1;
        }
        let pool = match self.service.pool(parts.pool.as_ref(), Some(&parts.server)) {
            Ok(pool) => pool,
            Err(error) => {
                self.count_batch().await?;
                return self.refuse_pool(&place, &error);
            }
        };
        if self.options.dry_run {
            return Ok(Box::pin(self.tally.preview(self.service, &report)).await?);
        }
        let full = self.batch.as_ref().is_some_and(|batch| {
            batch.rounds.len() >= self.batch_size.rounds() || batch.pool.name != pool.name
        });
        if full {
            self.count_batch().await?;
        }
        let batch = self.batch.get_or_insert_with(|| Batch {
            pool,
            rounds: Vec::new(),
            places: Vec::new(),
            names: Vec::new(),
        });
        batch.rounds.push(report.into());
        batch.places.push(place);
        batch.names.extend(names);
        Ok(())
    }

    /// Applies an imported void, restoration or correction of a round. If the round still waits in the batch, the
    /// change is added to it, so that no rebuild is needed.
    async fn take_round_change(
        &mut self,
        place: String,
        line: RoundChangeLine,
    ) -> anyhow::Result<()> {
        let waiting = self.batch.iter_mut().flat_map(|batch| &mut batch.rounds);
        let its = |round: &&mut ImportedRound| {
            let parts = round.report.parts();
            (&parts.server, &parts.round_id) == (&line.server, &line.round_id)
        };
        if let Some(round) = waiting.rev().find(its) {
            // Files may contain the same line twice.
            if !round.changes.contains(&line) {
                round.changes.push(line);
            }
            return Ok(());
        }
        self.count_batch().await?;
        self.apply_round_change(&place, line).await
    }

    async fn apply_round_change(
        &mut self,
        place: &str,
        line: RoundChangeLine,
    ) -> anyhow::Result<()> {
        let done = with_retries(async || self.service.apply_round_change(line.clone()).await);
        self.take_outcome(place, done.await)?;
        Ok(())
    }

    /// Counts the rounds of the import's batch in one transaction. Rounds behind a refused one are not counted, unless
    /// bad lines are skipped: the repaired round must come before them in a later import.
    async fn count_batch(&mut self) -> anyhow::Result<()> {
        let Some(batch) = self.batch.take() else {
            return Ok(());
        };
        let (pool, rounds) = (batch.pool, batch.rounds);
        let on_refusal = if self.options.keep_going {
            OnRefusal::GoOn
        } else {
            OnRefusal::Stop
        };
        let started = Instant::now();
        let import = &mut self.rounds;
        let outcomes =
            with_retries(async || import.record(&pool, &rounds, on_refusal).await).await?;
        let took = started.elapsed();
        self.batch_size.adapt(rounds.len(), took);
        self.service.keep_names(batch.names, None, None).await;
        self.service.let_others_write(took).await;
        self.pools.insert(pool.name.clone(), pool);
        let mut refused = Vec::new();
        let counted = rounds.into_iter().zip(batch.places);
        for (outcome, (round, place)) in outcomes.into_iter().zip(counted) {
            match outcome {
                Ok(recorded) if !recorded.duplicate => {
                    self.tally.counted += 1;
                    self.tally.changes += round.changes.len() as u64;
                }
                Ok(_) | Err(ServiceError::RoundPruned(_)) => {
                    self.tally.duplicates += 1;
                    for line in round.changes {
                        self.apply_round_change(&place, line).await?;
                    }
                }
                Err(error) => refused.push((place, error)),
            }
        }
        self.show_progress();
        self.write_progress().await?;
        for (place, error) in refused {
            self.refuse(&place, &Fault::Line(error.to_string()))?;
        }
        Ok(())
    }
}
