use std::io::{self, Write};
use std::pin::pin;

use clap::Args;

use super::check::compare;
use super::database::{Access, chosen_pools, must_exist, open};
use super::output::print;
use super::stop::{Interrupted, stop_signal};
use super::watch::Watcher;
use crate::config::{Override, Overrides, PoolSettings, Settings};
use crate::domain::PoolName;
use crate::service::{By, Figure, Service, WhatIf};
use crate::store::PoolRecord;

/// `rbs rebuild`.
#[derive(Debug, Args)]
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
            return compare(service, &pools).await;
        }
        for pool in &pools {
            if self.dry_run {
                let configured = settings.pools.get(&pool.name);
                self.try_out(service, pool, configured).await?;
            } else {
                rebuild(service, pool).await?;
            }
        }
        Ok(())
    }

    async fn try_out(
        &self,
        service: &Service,
        pool: &PoolRecord,
        configured: Option<&PoolSettings>,
    ) -> anyhow::Result<()> {
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
        let mut report = Vec::new();
        print_what_if(&mut report, &pool.name, &what_if)?;
        print(&report)?;
        Ok(())
    }
}

async fn rebuild(service: &Service, pool: &PoolRecord) -> anyhow::Result<()> {
    let mut watcher = Watcher::start("Rebuilding", &pool.name)?;
    let done = service
        .rebuild(pool, By::CommandLine, &mut |progress| {
            watcher.tick(progress);
        })
        .await?;
    let took = watcher.finish().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let rate = done.computed as f64 / done.took.as_secs_f64().max(1e-9);
    let mut report = Vec::new();
    writeln!(
        report,
        "Pool {}: {} rounds and changes computed again and in force after {:.1} s, {rate:.0} a \
         second; the former figures cleared away after {took:.1} s",
        pool.name,
        done.computed,
        done.took.as_secs_f64(),
    )?;
    print(&report)?;
    Ok(())
}

fn print_what_if(output: &mut impl Write, pool: &PoolName, what_if: &WhatIf) -> io::Result<()> {
    let WhatIf { present, instead } = what_if;
    let last = |window: u32| format!("last {window}");
    writeln!(output, "Pool {pool}: {} rounds", present.rounds)?;
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
