use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use super::check::{compare, verdict};
use super::comparison::try_out;
use super::database::{Access, chosen_pools, run_interruptible};
use super::terminal::figures::{progress_text, rate};
use super::terminal::output::{AsJson, Format, print, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::{plural, plural_of};
use crate::api::RebuildAnswer;
use crate::config::{Override, Overrides, Settings};
use crate::domain::PoolName;
use crate::service::{Alternative, Author, Service, ServiceError};
use crate::store::PoolRecord;

#[derive(Debug, Args)]
#[command(after_long_help = "\
With --json: pools, each with the number of recomputed rounds and admin changes, and the time in seconds. With
--check, each pool has the figures of rbs check instead; with --dry-run, a comparison of current and recomputed
ratings; with --cancel, the rebuild that was cancelled.")]
pub(super) struct Rebuild {
    /// Rebuild only this pool [default: all pools, one after another]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Only compare: print where stored ratings and results differ from those recomputed from the recorded rounds, and
    /// fail if any differ.
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Change nothing; print predictions and ratings as they are and as they would be.
    #[arg(long)]
    dry_run: bool,
    /// Cancel a void or rebuild in progress, in whichever process it runs; all ratings stay as they are.
    #[arg(long, conflicts_with_all = ["check", "dry_run"])]
    cancel: bool,
    /// With --dry-run: rate with this setting in place of the original one; may be given several times.
    #[arg(long = "set", value_name = "SETTING=VALUE", requires = "dry_run")]
    overrides: Vec<Override>,
    #[command(flatten)]
    report: AsJson,
}

impl Rebuild {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let access = if self.check || self.dry_run {
            Access::Read
        } else {
            Access::Write
        };
        run_interruptible(&settings, access, async |service| {
            Box::pin(self.work(service, &settings)).await
        })
        .await
    }

    async fn work(&self, service: &Service, settings: &Settings) -> anyhow::Result<()> {
        let pools = chosen_pools(service, self.pool.as_ref()).await?;
        if self.check {
            let (compared, ended) = compare(service, &pools, self.report).await;
            self.print(&compared)?;
            return ended.and_then(|()| verdict(&compared));
        }
        if self.cancel {
            return self.cancel(service, &pools).await;
        }
        let mut reports = Vec::new();
        let ended = async {
            for pool in &pools {
                reports.push(if self.dry_run {
                    self.try_out(service, settings, pool).await?
                } else {
                    self.rebuild(service, pool).await?
                });
            }
            anyhow::Ok(())
        }
        .await;
        // Completed pools are reported even after an error.
        self.print(&reports)?;
        ended
    }

    fn print(&self, pools: &impl Serialize) -> anyhow::Result<()> {
        if self.report.json {
            print_json(&json!({"pools": pools}))?;
        }
        Ok(())
    }

    async fn try_out(
        &self,
        service: &Service,
        settings: &Settings,
        pool: &PoolRecord,
    ) -> anyhow::Result<Value> {
        let alternative = Alternative {
            settings: Overrides(self.overrides.clone()),
            ..Alternative::default()
        };
        let headings = ["is", "would be"];
        let format = Format {
            json: self.report.json,
            csv: false,
        };
        let found = try_out(service, settings, pool, alternative, headings, format).await?;
        Ok(json!({"pool": pool.name, "comparison": found}))
    }

    async fn cancel(&self, service: &Service, pools: &[PoolRecord]) -> anyhow::Result<()> {
        let mut cancelled = Vec::new();
        for pool in pools {
            match service
                .cancel_rebuild(&pool.name, Author::CommandLine)
                .await
            {
                Ok(answer) => cancelled.push(answer),
                Err(ServiceError::NoRebuild(_)) if self.pool.is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
        anyhow::ensure!(
            !cancelled.is_empty(),
            "no ratings are being recomputed, so there is nothing to cancel"
        );
        self.print(&cancelled)?;
        if !self.report.json {
            let text: String = cancelled.iter().map(cancelled_text).collect();
            print(text.as_bytes())?;
        }
        Ok(())
    }

    async fn rebuild(&self, service: &Service, pool: &PoolRecord) -> anyhow::Result<Value> {
        let mut watcher = Watcher::start("Rebuilding", &pool.name)?;
        let done = service
            .rebuild(pool, Author::CommandLine, &mut |progress| {
                watcher.tick(progress);
            })
            .await?;
        let seconds = done.took.as_secs_f64();
        let until_cleared = watcher.finish().as_secs_f64();
        if !self.report.json {
            let rate = rate(done.computed, done.took);
            let computed = plural_of(done.computed, "round or change", "rounds and changes");
            let report = format!(
                "Pool {}: {computed} recomputed in {seconds:.1} s ({rate:.0} a second); {until_cleared:.1} s \
                 in all, including the deletion of the old figures\n",
                pool.name
            );
            print(report.as_bytes())?;
        }
        Ok(json!({
            "pool": pool.name,
            "computed": done.computed,
            "seconds": seconds,
            "seconds_until_cleared": until_cleared,
        }))
    }
}

fn cancelled_text(answer: &RebuildAnswer) -> String {
    let rebuild = answer.rebuild.as_ref();
    let what = match rebuild.and_then(|rebuild| rebuild.round.as_ref()) {
        Some(round) => format!(
            "{} of {}{} on {}",
            round.action,
            round.round_id,
            others(round.rounds),
            round.server
        ),
        None => "rebuild".to_owned(),
    };
    let progress = rebuild.and_then(|rebuild| rebuild.progress.as_ref());
    let far = progress.map_or_else(String::new, |progress| {
        format!(" ({})", progress_text(progress))
    });
    format!("Pool {}: the {what} is cancelled{far}\n", answer.pool)
}

fn others(rounds: u64) -> String {
    match rounds.saturating_sub(1) {
        0 => String::new(),
        more => format!(" and {}", plural(more, "later round")),
    }
}
