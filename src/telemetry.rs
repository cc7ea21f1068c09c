//! Logs: text on a terminal, one JSON object a line elsewhere; always on standard error, so that
//! a command's own output stays clean.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

/// What is logged where `RBS_LOG` says nothing.
const DEFAULT_FILTER: &str = "info";

/// Starts logging; `filter` is the value of `RBS_LOG`, such as `warn` or `info,rbs=debug`.
///
/// # Errors
/// A filter that cannot be understood.
pub fn start(filter: Option<&str>) -> anyhow::Result<()> {
    let filter = EnvFilter::builder()
        .parse(filter.unwrap_or(DEFAULT_FILTER))
        .context("RBS_LOG is no filter; give a level such as info, or info,rbs=debug")?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        logs.init();
    } else {
        logs.json().flatten_event(true).with_span_list(false).init();
    }
    Ok(())
}
