use std::io::Write as _;
use std::time::Duration;

use clap::Args;

use super::database::{Access, chosen_pools, must_exist, open};
use super::output::print;
use super::watch::Watcher;
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::{Checked, Service};
use crate::store::PoolRecord;

/// `rbs check`.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Only this pool; without it every pool.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
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
        print(&report)?;
        let pools = chosen_pools(service, self.pool.as_ref()).await?;
        let compared = compare(service, &pools).await;
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

/// Compares what is stored of each pool with its log, and says what was found.
pub(super) async fn compare(service: &Service, pools: &[PoolRecord]) -> anyhow::Result<()> {
    let mut differences = 0;
    for pool in pools {
        let mut watcher = Watcher::start("Checking", &pool.name)?;
        let checked = service
            .check_pool(pool, &mut |progress| watcher.tick(progress))
            .await?;
        let took = watcher.finish();
        differences += checked.differences;
        print(&said(&pool.name, &checked, took)?)?;
    }
    anyhow::ensure!(
        differences == 0,
        "{differences} differences between the log and what is stored, the first of them above; \
         `rbs rebuild` computes everything from the log again"
    );
    Ok(())
}

fn said(pool: &PoolName, checked: &Checked, took: Duration) -> std::io::Result<Vec<u8>> {
    let mut report = Vec::new();
    let Checked {
        rounds,
        players,
        entries,
        differences,
        named,
    } = checked;
    let found = match differences {
        0 => "no differences".to_owned(),
        1 => "1 difference".to_owned(),
        several => format!("{several} differences"),
    };
    #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
    let rate = *rounds as f64 / took.as_secs_f64().max(1e-9);
    writeln!(
        report,
        "Pool {pool}: {rounds} rounds, {players} players, {entries} entries: {found} ({:.1} s, \
         {rate:.0} rounds a second)",
        took.as_secs_f64()
    )?;
    for line in named {
        writeln!(report, "  {line}")?;
    }
    let unnamed = differences - named.len() as u64;
    if unnamed > 0 {
        writeln!(report, "  and {unnamed} more")?;
    }
    Ok(report)
}
