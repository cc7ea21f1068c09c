use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use ureq::{Agent, Error};

use super::serve::local_address;
use super::terminal::json::{AsJson, print, print_json};

/// How long the service may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// `rbs health`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
With --json: ready, the address that was asked, and the reason, null where it is ready.")]
pub(super) struct Health {
    #[command(flatten)]
    report: AsJson,
}

impl Health {
    /// Asks the service that listens on `bind` whether it is ready.
    pub(super) fn run(self, bind: &str) -> anyhow::Result<()> {
        let address = local_address(bind);
        let asked = ask(&address);
        if self.report.json {
            let reason = asked.as_ref().err().map(super::explain);
            print_json(&json!({"ready": asked.is_ok(), "address": address, "reason": reason}))?;
        } else if asked.is_ok() {
            print(b"ready\n").context("cannot write the answer")?;
        }
        asked
    }
}

fn ask(address: &str) -> anyhow::Result<()> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .timeout_global(Some(TIMEOUT));
    let asked = config.build().new_agent();
    let asked = asked.get(format!("http://{address}/readyz")).call();
    let answer = asked.map_err(|error| match error {
        Error::HostNotFound | Error::BadUri(_) | Error::Http(_) => {
            anyhow::anyhow!("{address} is no address; check RBS_BIND (bind)")
        }
        Error::Timeout(_) => anyhow::anyhow!(
            "nothing answers on {address} within {} s; its log says why, if it is the service",
            TIMEOUT.as_secs()
        ),
        error => anyhow::Error::new(error).context(format!(
            "nothing listens on {address}; start the service, or set RBS_BIND (bind) to where it \
             listens"
        )),
    })?;
    let status = answer.status();
    anyhow::ensure!(
        status == 200,
        "the service on {address} is not ready; its log says why: {status}"
    );
    Ok(())
}
