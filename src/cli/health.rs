use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use ureq::Error;

use super::remote::{Address, NamedBy, Path, Unsuccessful, agent, named, trusted};
use super::terminal::output::{AsJson, print, print_json};
use crate::config::Flags;

const TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
#[command(after_long_help = "\
With --json: ready, address, and reason (null if the service is ready). Exits with 5 if the service is not ready or
does not answer.")]
pub(super) struct Health {
    /// Address of the service [env: RBS_URL]
    ///
    /// The address starts with https:// or http://. Without an address, the command uses the service that is configured
    /// on this machine.
    #[arg(long, value_name = "URL", help_heading = "Service")]
    url: Option<Address>,
    /// PEM file with the certificate authorities to trust [env: RBS_CA_FILE]
    ///
    /// For an https:// address, only the certificate authorities in this file are trusted, not the public ones.
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    ca_file: Option<PathBuf>,
    #[command(flatten)]
    report: AsJson,
}

impl Health {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let (by, address) = named(self.url.as_ref(), flags)?;
        let asked = self.ask(by, &address);
        let shown = shown(by, &address);
        if self.report.json {
            let reason = asked.as_ref().err().map(super::explain);
            print_json(&json!({"ready": asked.is_ok(), "address": shown, "reason": reason}))?;
        } else if asked.is_ok() {
            print(b"ready\n").context("cannot write the answer")?;
        }
        asked
    }

    fn ask(&self, by: NamedBy, address: &Address) -> anyhow::Result<()> {
        let is_local = by == NamedBy::Configuration || address.is_loopback();
        let agent = agent(is_local, trusted(self.ca_file.as_deref())?, TIMEOUT);
        let answer = agent.get(address.join(&Path::at("/readyz"))).call();
        let shown = shown(by, address);
        let setting = match by {
            NamedBy::Configuration => "RBS_BIND (bind)",
            NamedBy::Flag | NamedBy::Environment => "--url or RBS_URL",
        };
        let answer = answer.map_err(|error| {
            Unsuccessful::Unreachable(match error {
                Error::HostNotFound | Error::BadUri(_) | Error::Http(_) => {
                    format!("{shown} is not an address; check {setting}")
                }
                Error::Timeout(_) => format!(
                    "no answer from {shown} within {} s; if the service listens there, its log says why",
                    TIMEOUT.as_secs()
                ),
                error => format!(
                    "nothing listens on {shown}: {error}; start the service, or set {setting} to the \
                     address where it listens"
                ),
            })
        })?;
        let status = answer.status();
        if status != 200 {
            let reason =
                format!("the service on {shown} is not ready ({status}); its log says why");
            return Err(Unsuccessful::Unreachable(reason).into());
        }
        Ok(())
    }
}

/// Returns the service's address in the form of its source: host and port for settings, else a URL.
fn shown(by: NamedBy, address: &Address) -> String {
    let shown = address.to_string();
    match shown.strip_prefix("http://") {
        Some(place) if by == NamedBy::Configuration => place.to_owned(),
        _ => shown,
    }
}
