use std::fmt;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::backup::file::verify;
use super::backup::load::load;
use super::database::{Access, chosen_pools, connect, must_exist, open};
use super::signals::{Interrupted, stop_signal};
use super::terminal::figures::rate;
use super::terminal::output::{AsJson, print, print_json};
use super::terminal::progress::Watcher;
use super::terminal::words::{plural, plural_of};
use crate::config::Settings;
use crate::domain::PoolName;
use crate::service::{Checked, Service};
use crate::store::{DatabaseUrl, PoolRecord};

#[derive(Debug, Args)]
#[command(after_long_help = "\
A backup is read to its end and restored into a temporary SQLite file (in the folder TMPDIR). The file needs as much
disk space as the database and is deleted afterwards.

With --json: damage (what SQLite reports about the database file) and pools, each with pool (its name), rounds, players,
entries, differences (their number), named (descriptions of the first differences) and seconds. If a pool cannot be
checked, that pool and the pools after it are left out.")]
pub(super) struct Check {
    /// A file made by `rbs backup`, to check in place of the database.
    #[arg(value_name = "BACKUP")]
    backup: Option<PathBuf>,
    /// Check only this pool [default: all pools]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    report: AsJson,
}

impl Check {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let Some(backup) = &self.backup else {
            must_exist(&settings)?;
            return Box::pin(self.check_database(&settings)).await;
        };
        let folder = tempfile::tempdir()
            .context("cannot make a temporary folder; set TMPDIR to another one")?;
        let stop = stop_signal()?;
        let checking = Box::pin(async {
            let database = restored(backup, folder.path()).await?;
            let settings = Settings {
                database,
                ..settings
            };
            Box::pin(self.check_database(&settings)).await
        });
        // Dropping the folder deletes it in every case.
        tokio::select! {
            checked = checking => checked,
            () = stop => Err(Interrupted.into()),
        }
    }

    async fn check_database(&self, settings: &Settings) -> anyhow::Result<()> {
        let service = Box::pin(open(settings, Access::Read)).await?;
        let result = self.check(&service).await;
        service.close().await;
        result
    }

    async fn check(&self, service: &Service) -> anyhow::Result<()> {
        let damage = service.damage().await?;
        if !self.report.json {
            let lines = match &damage[..] {
                [] => "no problems found".to_owned(),
                lines => lines.join("\nThe database: "),
            };
            print(format!("The database: {lines}\n").as_bytes())?;
        }
        let pools = chosen_pools(service, self.pool.as_ref()).await?;
        let (compared, ended) = compare(service, &pools, self.report).await;
        if self.report.json {
            print_json(&json!({"damage": damage, "pools": compared}))?;
        }
        let compared = ended.and_then(|()| verdict(&compared));
        anyhow::ensure!(
            damage.is_empty(),
            "the database is damaged (see above); restore a backup{}",
            match &compared {
                Ok(()) => String::new(),
                Err(error) => format!(" ({error})"),
            }
        );
        compared
    }
}

async fn restored(backup: &Path, folder: &Path) -> anyhow::Result<DatabaseUrl> {
    // An incomplete backup is found before anything is written.
    verify(backup)?;
    let path = folder.join("rbs.db");
    let database = DatabaseUrl::Sqlite { path };
    let store = connect(&database).await?;
    let loaded = load(&store, backup).await;
    store.close().await;
    loaded.map(|()| database)
}

#[derive(Serialize)]
pub(super) struct PoolReport {
    pool: PoolName,
    #[serde(flatten)]
    checked: Checked,
    seconds: f64,
}

pub(super) fn verdict(compared: &[PoolReport]) -> anyhow::Result<()> {
    let differences = compared.iter().map(|pool| pool.checked.differences).sum();
    anyhow::ensure!(
        differences == 0,
        "{} between the log of rounds and the stored figures (the first ones are listed above); run \
         `rbs rebuild` to recompute everything from the log",
        plural(differences, "difference")
    );
    Ok(())
}

/// Compares the stored ratings and other results of each pool with those computed from its log of rounds, and prints
/// the differences unless `report` asks for JSON. Returns the pools compared so far along with the error that ended the
/// comparison, if any.
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
                print(summary(&pool.name, &checked, took)?.as_bytes())?;
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

fn summary(pool: &PoolName, checked: &Checked, took: Duration) -> Result<String, fmt::Error> {
    let found = match checked.differences {
        0 => "no differences".to_owned(),
        several => plural(several, "difference"),
    };
    let mut report = format!(
        "Pool {pool}: {}, {}, {}: {found} ({:.1} s, {:.0} rounds a second)\n",
        plural(checked.rounds, "round"),
        plural(checked.players, "player"),
        plural_of(checked.entries, "entry", "entries"),
        took.as_secs_f64(),
        rate(checked.rounds, took)
    );
    for line in &checked.named {
        writeln!(report, "  {line}")?;
    }
    let unnamed = checked.differences - checked.named.len() as u64;
    if unnamed > 0 {
        writeln!(report, "  and {unnamed} more")?;
    }
    Ok(report)
}
