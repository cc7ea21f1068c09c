mod archive;

use std::path::PathBuf;
use std::pin::pin;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::arguments::moment;
use super::database::{Access, chosen_pools, must_exist, open};
use super::signals::{Interrupted, stop_signal};
use super::terminal::output::{AsJson, print, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::plural;
use crate::config::Settings;
use crate::domain::{PoolName, Timestamp};
use crate::service::{Prune, Service};
use archive::Archive;

const RENEW_EVERY: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
#[command(after_long_help = "\
Prunes the oldest rounds of each pool, and stops at the first round that ended at or after --before. All ratings
and figures stay, and a pruned round that is sent again is not counted again. To get the same pool in another
database, import the files of pruned rounds there, oldest first, and then an export of the pool.

With --json: pools, each with rounds (the number pruned), file (null if no round was pruned) and seconds.")]
pub(super) struct PruneRounds {
    /// Prune rounds that ended before this time, such as 2026-01-01T00:00:00Z. The time must be at least 30 days ago.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    before: Timestamp,
    /// Folder for the files of pruned rounds: one file per pool, named after the pool and the range of rounds in it.
    /// Keep these files.
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    /// Prune only this pool [default: all pools, one after another]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    report: AsJson,
}

#[derive(Serialize)]
struct PoolReport {
    pool: PoolName,
    rounds: u64,
    file: Option<PathBuf>,
    seconds: f64,
}

impl PruneRounds {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        anyhow::ensure!(
            self.to.is_dir(),
            "there is no folder {}; make it, or name another with --to",
            self.to.display()
        );
        let service = open(&settings, Access::Write).await?;
        let mut reports = Vec::new();
        let result = Box::pin(self.prune_pools(&service, &mut reports)).await;
        service.close().await;
        // Completed pools are reported even after an error.
        if self.report.json {
            print_json(&json!({"pools": reports}))?;
        }
        result
    }

    async fn prune_pools(
        &self,
        service: &Service,
        reports: &mut Vec<PoolReport>,
    ) -> anyhow::Result<()> {
        let mut stop = pin!(stop_signal()?);
        for pool in chosen_pools(service, self.pool.as_ref()).await? {
            let mut prune = service.begin_prune(&pool, self.before).await?;
            let pruned = tokio::select! {
                pruned = self.prune_pool(&mut prune) => pruned,
                () = &mut stop => Err(Interrupted.into()),
            };
            match pruned {
                Ok(report) => {
                    prune.finish().await?;
                    reports.push(report);
                }
                Err(error) => {
                    prune.give_up().await;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Writes the old rounds of a pool into a file, reads the file back, and only then deletes the rounds.
    async fn prune_pool(&self, prune: &mut Prune) -> anyhow::Result<PoolReport> {
        let started = Instant::now();
        let pool = prune.pool().clone();
        let mut file = None;
        if let Some((first, last)) = prune.places() {
            let name = format!("{pool}-{first:012}-{last:012}.jsonl.gz");
            let path = self.to.join(&name);
            let mut archive = Archive::open(&path)?;
            let mut watcher = Watcher::start("Pruning", &pool)?;
            while let Some(lines) = prune.read_lines().await? {
                for line in &lines {
                    archive.write(line)?;
                }
                watcher.tick(prune.progress());
            }
            // Reading a large file back can take longer than the lease of a prune lasts.
            let mut finishing = tokio::task::spawn_blocking(|| archive.finish());
            loop {
                tokio::select! {
                    finished = &mut finishing => break finished??,
                    () = tokio::time::sleep(RENEW_EVERY) => prune.renew().await?,
                }
            }
            prune.take_effect(&name).await?;
            watcher.finish();
            file = Some(path);
        }
        // Also deletes the rows that an earlier interrupted prune has left.
        prune.delete_rows().await?;
        let rounds = prune.rounds;
        let seconds = started.elapsed().as_secs_f64();
        if !self.report.json {
            let report = match &file {
                Some(path) => format!(
                    "Pool {pool}: {} pruned into the file {} ({seconds:.1} s)\n",
                    plural(rounds, "round"),
                    path.display()
                ),
                None => format!("Pool {pool}: nothing to prune before {}\n", self.before),
            };
            print(report.as_bytes())?;
        }
        Ok(PoolReport {
            pool,
            rounds,
            file,
            seconds,
        })
    }
}
