use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::database::{Access, chosen_pools, must_exist, open};
use super::terminal::figures::rate;
use super::terminal::json::{AsJson, print, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::{plural, plural_of};
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::{Checked, Service};
use crate::store::PoolRecord;

/// `rbs check`.
#[derive(Debug, Args)]
#[command(after_help = "\
With --json: damage, what SQLite says of its file, and pools, each with its rounds, players, entries,
differences, the first of them named, and seconds; those before the one at which comparing broke off.")]
pub(super) struct Check {
    /// Only this pool; without it every pool.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    report: AsJson,
}

impl Check {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let service = open(&settings, Access::Read).await?;
        let result = self.check(&service).await;
        service.close().await;
        result
    }

    async fn check(&self, service: &Service) -> anyhow::Result<()> {
        let damage = service.damage().await?;
        let mut report = Vec::new();
        for line in &damage {
            writeln!(report, "The database: {line}")?;
        }
        if damage.is_empty() {
            writeln!(report, "The database: nothing wrong")?;
        }
        if !self.report.json {
            print(&report)?;
        }
        let pools = chosen_pools(service, self.pool.as_ref()).await?;
        let (compared, ended) = compare(service, &pools, self.report).await;
        if self.report.json {
            print_json(&json!({"damage": damage, "pools": compared}))?;
        }
        let compared = ended.and_then(|()| verdict(&compared));
        anyhow::ensure!(
            damage.is_empty(),
            "the database is damaged, as said above; restore a backup of it{}",
            match &compared {
                Ok(()) => String::new(),
                Err(error) => format!(" ({error})"),
            }
        );
        compared
    }
}

/// What was found of a pool, for programs.
#[derive(Serialize)]
pub(super) struct PoolReport {
    pool: PoolName,
    #[serde(flatten)]
    checked: Checked,
    seconds: f64,
}

/// Fails where anything differs.
pub(super) fn verdict(compared: &[PoolReport]) -> anyhow::Result<()> {
    let differences = compared.iter().map(|pool| pool.checked.differences).sum();
    anyhow::ensure!(
        differences == 0,
        "{} between the log and what is stored, the first of them above; `rbs rebuild` computes \
         everything from the log again",
        plural(differences, "difference")
    );
    Ok(())
}

/// Compares what is stored of each pool with its log, and prints what was found, unless that is for a
/// program; and what broke that off, if anything did.
pub(super) async fn compare(
    service: &Service,
    pools: &[PoolRecord],
    report: AsJson,
) -> (Vec<PoolReport>, anyhow::Result<()>) {
    let mut compared = Vec::new();
    let ended = async {
        for pool in pools {
            let mut watcher = Watcher::start("Checking", &pool.name)?;
            let checked = service
                .check_pool(pool, &mut |progress| watcher.tick(progress))
                .await?;
            let took = watcher.finish();
            if !report.json {
                print(&summary(&pool.name, &checked, took)?)?;
            }
            compared.push(PoolReport {
                pool: pool.name.clone(),
                checked,
                seconds: took.as_secs_f64(),
            });
        }
        anyhow::Ok(())
    };
    let ended = ended.await;
    (compared, ended)
}

fn summary(pool: &PoolName, checked: &Checked, took: Duration) -> std::io::Result<Vec<u8>> {
    let mut report = Vec::new();
    let found = match checked.differences {
        0 => "no differences".to_owned(),
        several => plural(several, "difference"),
    };
    writeln!(
        report,
        "Pool {pool}: {}, {}, {}: {found} ({:.1} s, {:.0} rounds a second)",
        plural(checked.rounds, "round"),
        plural(checked.players, "player"),
        plural_of(checked.entries, "entry", "entries"),
        took.as_secs_f64(),
        rate(checked.rounds, took)
    )?;
    for line in &checked.named {
        writeln!(report, "  {line}")?;
    }
    let unnamed = checked.differences - checked.named.len() as u64;
    if unnamed > 0 {
        writeln!(report, "  and {unnamed} more")?;
    }
    Ok(report)
}
