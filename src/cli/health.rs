use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;

use super::Bind;
use super::serve::local_address;
use super::terminal::json::print;
use super::terminal::json::{AsJson, print_json};

/// How long the service may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// `rbs health`.
#[derive(Debug, Args)]
#[command(after_help = "\
With --json: ready, the address that was asked, and the reason, null where it is ready.")]
pub(super) struct Health {
    #[command(flatten)]
    pub(super) bind: Bind,
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
    let socket = address
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .with_context(|| format!("{address} is no address; check RBS_BIND (bind)"))?;
    let mut stream = TcpStream::connect_timeout(&socket, TIMEOUT).with_context(|| {
        format!(
            "nothing listens on {address}; start the service, or set RBS_BIND (bind) to where it \
             listens"
        )
    })?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // In one piece: who answers early may not wait for the rest.
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(64 * 1024).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.lines().next().unwrap_or("no answer");
    if status.split(' ').nth(1) == Some("200") {
        Ok(())
    } else {
        anyhow::bail!("the service on {address} is not ready; its log says why: {status}")
    }
}
