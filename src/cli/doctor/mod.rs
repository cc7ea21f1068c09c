//! `rbs doctor`: looks for common problems, and gives advice.

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

#[derive(Debug, Args)]
#[command(after_long_help = "\
Run it where the service runs: as the same user, in the same folder, with the same environment. It changes nothing.
It exits with 1 if it finds a problem; warnings do not count.

With --json: findings, each with subject, status (good, warning or problem), says (what was found) and remedy (null
if nothing needs to be done); problems and warnings are their numbers.

Examples:
  rbs doctor
  sudo -u rbs sh -c 'cd /var/lib/rbs && rbs doctor --url https://rbs.example.org'")]
pub(super) struct Doctor {
    /// Address that game servers use, to also check the proxy in front of the service.
    #[arg(long, value_name = "URL")]
    url: Option<Address>,
    #[command(flatten)]
    report: AsJson,
}

impl Doctor {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let mut findings = Vec::new();
        match Settings::load(flags, environment::variable) {
            // The error message contains the advice.
            Err(error) => findings.push(Finding::problem(
                "settings",
                error.to_string(),
                "fix that setting first; nothing else can be checked until then",
            )),
            Ok(settings) => {
                findings.extend(settings::check(&settings));
                findings.push(listener::check(&settings.bind));
                findings.extend(files::check(&settings.database));
                let runtime = tokio::runtime::Runtime::new()
                    .context("cannot start the threads of the program")?;
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
            "{} found; see the remedies above",
            plural(problems, "problem")
        );
        Ok(())
    }
}
