use std::io;
use std::io::Write;
use std::pin::pin;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::check::compare;
use super::database::{Access, chosen_pools, must_exist, open};
use super::signals::{Interrupted, stop_signal};
use super::terminal::json::print;
use super::terminal::json::{AsJson, FigureReport, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::{plural, plural_of};
use crate::config::{Override, Overrides, PoolSettings, Settings};
use crate::domain::PoolName;
use crate::service::{Author, Figure, Figures, Service, Simulation};
use crate::store::PoolRecord;

/// `rbs rebuild`.
#[derive(Debug, Args)]
#[command(after_help = "\
With --json: pools, each with what was computed and in how many seconds; with --check what rbs check
says of each, with --dry-run its figures as they are and as they would have been.")]
pub(super) struct Rebuild {
    /// Only this pool; without it every pool, one after another.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Compare only: say what is stored otherwise than the log gives it, and fail if anything is.
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Change nothing: print how good the predictions would have been beside how good they are.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: rate with this setting in place of those in force then; may be repeated.
    #[arg(long = "set", value_name = "SETTING=VALUE", requires = "dry_run")]
    overrides: Vec<Override>,
    #[command(flatten)]
    report: AsJson,
}

/// What became of a pool that was computed again, for programs.
#[derive(Serialize)]
struct RebuiltReport {
    pool: PoolName,
    computed: u64,
    seconds: f64,
    seconds_until_cleared: f64,
}

/// What was found of a pool with other settings, for programs.
#[derive(Serialize)]
struct TrialReport {
    pool: PoolName,
    rounds: u64,
    is: FiguresReport,
    would_have_been: FiguresReport,
}

#[derive(Serialize)]
struct FiguresReport {
    window_rounds: u32,
    brier: FigureReport,
    log_loss: FigureReport,
    accuracy: FigureReport,
}

impl From<&Figures> for FiguresReport {
    fn from(figures: &Figures) -> Self {
        Self {
            window_rounds: figures.window,
            brier: figures.brier.into(),
            log_loss: figures.log_loss.into(),
            accuracy: figures.accuracy.into(),
        }
    }
}

impl Rebuild {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let access = if self.check || self.dry_run {
            Access::Read
        } else {
            Access::Write
        };
        let stop = stop_signal()?;
        let service = open(&settings, access).await?;
        let mut work = pin!(self.work(&service, &settings));
        let result = tokio::select! {
            result = &mut work => result,
            () = stop => {
                service.stop_rebuilds();
                if access == Access::Write {
                    // What it had begun is undone, so that another need not wait until it counts as
                    // dead.
                    let _as_it_was = work.await;
                }
                Err(Interrupted.into())
            }
        };
        service.close().await;
        result
    }

    async fn work(&self, service: &Service, settings: &Settings) -> anyhow::Result<()> {
        let pools = chosen_pools(service, self.pool.as_ref()).await?;
        if self.check {
            let (compared, ended) = compare(service, &pools, self.report).await;
            self.print(&compared.0)?;
            ended?;
            return compared.verdict();
        }
        if self.dry_run {
            let mut tried = Vec::new();
            let ended = async {
                for pool in &pools {
                    let configured = settings.pools.get(&pool.name);
                    tried.push(self.try_out(service, pool, configured).await?);
                }
                anyhow::Ok(())
            };
            let ended = ended.await;
            self.print(&tried)?;
            return ended;
        }
        let mut rebuilt = Vec::new();
        let ended = async {
            for pool in &pools {
                rebuilt.push(self.rebuild(service, pool).await?);
            }
            anyhow::Ok(())
        };
        let ended = ended.await;
        // What was done is said even where more could not be.
        self.print(&rebuilt)?;
        ended
    }

    /// Prints what was done to the pools, where that is for a program.
    fn print<Report: Serialize>(&self, pools: &[Report]) -> anyhow::Result<()> {
        if self.report.json {
            print_json(&json!({"pools": pools}))?;
        }
        Ok(())
    }

    async fn try_out(
        &self,
        service: &Service,
        pool: &PoolRecord,
        configured: Option<&PoolSettings>,
    ) -> anyhow::Result<TrialReport> {
        let mut watcher = Watcher::start("Trying", &pool.name)?;
        let overrides = Overrides(self.overrides.clone());
        let what_if = service
            .what_if(
                pool,
                configured.map(|pool| &pool.parameters),
                overrides,
                &mut |progress| {
                    watcher.tick(progress);
                },
            )
            .await?;
        watcher.finish();
        if !self.report.json {
            let mut report = Vec::new();
            print_what_if(&mut report, &pool.name, &what_if)?;
            print(&report)?;
        }
        Ok(TrialReport {
            pool: pool.name.clone(),
            rounds: what_if.present.rounds,
            is: (&what_if.present).into(),
            would_have_been: (&what_if.instead).into(),
        })
    }

    async fn rebuild(&self, service: &Service, pool: &PoolRecord) -> anyhow::Result<RebuiltReport> {
        let mut watcher = Watcher::start("Rebuilding", &pool.name)?;
        let done = service
            .rebuild(pool, Author::CommandLine, &mut |progress| {
                watcher.tick(progress);
            })
            .await?;
        let rebuilt = RebuiltReport {
            pool: pool.name.clone(),
            computed: done.computed,
            seconds: done.took.as_secs_f64(),
            seconds_until_cleared: watcher.finish().as_secs_f64(),
        };
        if !self.report.json {
            print(&said(&rebuilt)?)?;
        }
        Ok(rebuilt)
    }
}

fn said(rebuilt: &RebuiltReport) -> io::Result<Vec<u8>> {
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let rate = rebuilt.computed as f64 / rebuilt.seconds.max(1e-9);
    let mut report = Vec::new();
    writeln!(
        report,
        "Pool {}: {} computed again and in force after {:.1} s, {rate:.0} a second; the former \
         figures cleared away after {:.1} s",
        rebuilt.pool,
        plural_of(rebuilt.computed, "round or change", "rounds and changes"),
        rebuilt.seconds,
        rebuilt.seconds_until_cleared,
    )?;
    Ok(report)
}

fn print_what_if(output: &mut impl Write, pool: &PoolName, what_if: &Simulation) -> io::Result<()> {
    let Simulation { present, instead } = what_if;
    let last = |window: u32| format!("last {window}");
    writeln!(output, "Pool {pool}: {}", plural(present.rounds, "round"))?;
    writeln!(output, "              {:<21} would have been", "is")?;
    writeln!(
        output,
        "              {:<11}{:<11}{:<11}all",
        last(present.window),
        "all",
        last(instead.window)
    )?;
    for (name, is, would_be) in [
        ("Brier score", present.brier, instead.brier),
        ("Log loss", present.log_loss, instead.log_loss),
        ("Accuracy", present.accuracy, instead.accuracy),
    ] {
        let text = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        let pair = |figure: Figure| format!("{:<11}{:<11}", text(figure.window), text(figure.all));
        let line = format!("{name:<13} {}{}", pair(is), pair(would_be));
        writeln!(output, "{}", line.trim_end())?;
    }
    Ok(())
}
