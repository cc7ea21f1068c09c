//! `rbs doctor`: looks for what goes wrong in practice, and says what to do.

mod database;
mod files;
mod finding;
mod listener;
mod settings;
mod through_proxy;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::environment;
use super::remote::Address;
use super::terminal::json::{AsJson, print, print_json};
use super::terminal::words::plural;
use crate::config::{Flags, Settings};
use finding::{Finding, Status};

/// `rbs doctor`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Run it where the service runs: as the same user, in the same folder, with the same environment. It changes nothing.
It exits with 1 where it finds a problem; a warning alone is none.

With --json: findings, each with its subject, status (good, warning or problem), says, what was found, and remedy, null where
nothing is to be done; and how many problems and warnings there are.

Examples:
  rbs doctor
  sudo -u rbs sh -c 'cd /var/lib/rbs && rbs doctor --url https://rbs.example.org'")]
pub(super) struct Doctor {
    /// The address that game servers use, to look at the proxy in between.
    #[arg(long, value_name = "URL")]
    url: Option<Address>,
    #[command(flatten)]
    report: AsJson,
}

impl Doctor {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let mut findings = Vec::new();
        match Settings::load(flags, environment::variable) {
            // The sentence says what to do itself.
            Err(error) => findings.push(Finding::problem(
                "settings",
                error.to_string(),
                "mend that setting; nothing else can be looked at before",
            )),
            Ok(settings) => {
                findings.extend(settings::check(&settings));
                findings.push(listener::check(&settings.bind));
                findings.extend(files::check(&settings.database));
                let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
                findings.extend(runtime.block_on(Box::pin(database::check(&settings.database))));
            }
        }
        if let Some(url) = &self.url {
            findings.extend(through_proxy::check(url));
        }
        self.print(&findings)
    }

    fn print(&self, findings: &[Finding]) -> anyhow::Result<()> {
        let count = |status| findings.iter().filter(|one| one.status == status).count() as u64;
        let (problems, warnings) = (count(Status::Problem), count(Status::Warning));
        if self.report.json {
            print_json(&json!({"findings": findings, "problems": problems, "warnings": warnings}))?;
        } else {
            let text: String = findings.iter().map(Finding::text).collect();
            print(text.as_bytes())?;
        }
        anyhow::ensure!(
            problems == 0,
            "{} found; what to do stands above",
            plural(problems, "problem")
        );
        Ok(())
    }
}
