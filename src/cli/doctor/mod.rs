mod database;
mod files;
mod network;
mod settings;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::environment;
use super::remote::Address;
use super::terminal::output::{AsJson, print, print_json};
use super::terminal::words::plural;
use crate::config::{Flags, Settings};

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
                findings.push(network::check_port(&settings.bind));
                findings.extend(files::check(&settings.database));
                let runtime = super::runtime()?;
                findings.extend(runtime.block_on(Box::pin(database::check(&settings.database))));
            }
        }
        if let Some(url) = &self.url {
            findings.extend(network::check_proxy(url));
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Good,
    /// Warning: the checked part works at present, but may fail later or behave unexpectedly.
    Warning,
    /// Problem: the checked part does not work, or may lose rounds or a secret.
    Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Finding {
    subject: &'static str,
    status: Status,
    says: String,
    /// Sentence with advice about the finding; `None` if nothing needs to be done.
    remedy: Option<String>,
}

impl Finding {
    fn good(subject: &'static str, finding: impl Into<String>) -> Self {
        Self {
            subject,
            status: Status::Good,
            says: finding.into(),
            remedy: None,
        }
    }

    fn warning(
        subject: &'static str,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Warning,
            remedy: Some(remedy.into()),
            ..Self::good(subject, finding)
        }
    }

    fn problem(
        subject: &'static str,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Problem,
            ..Self::warning(subject, finding, remedy)
        }
    }

    fn text(&self) -> String {
        let status = match self.status {
            Status::Good => "ok",
            Status::Warning => "WARNING",
            Status::Problem => "PROBLEM",
        };
        let line = format!("{status:<8} {}: {}\n", self.subject, self.says);
        match &self.remedy {
            None => line,
            Some(remedy) => format!("{line}         To do: {remedy}\n"),
        }
    }
}
