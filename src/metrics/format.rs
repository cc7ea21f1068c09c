//! Text formats that Prometheus reads.

use std::fmt;
use std::fmt::Write as _;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

/// Text format in which Prometheus reads metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text format OpenMetrics 1.0, for clients that request it.
    OpenMetrics,
    /// Prometheus text format 0.0.4, which all clients can read.
    Plain,
}

impl Format {
    /// Returns the value of the HTTP header `Content-Type` for this text format.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Plain => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    pub(super) fn write(self, registry: &Registry) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, registry)?;
        match self {
            Self::OpenMetrics => Ok(text),
            Self::Plain => plain(&text),
        }
    }
}

/// Converts OpenMetrics to the Prometheus text format 0.0.4. That format gives counters the name of their series, with
/// `_total`, and has neither units nor an end marker. Help texts need no other escaping, because they contain no
/// backslash or line break.
fn plain(open_metrics: &str) -> Result<String, fmt::Error> {
    let mut text = String::with_capacity(open_metrics.len());
    // The library writes the help before the type, which decides the suffix.
    let mut held = None;
    for line in open_metrics.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            held = help.split_once(' ');
        } else if let Some((name, kind)) = line
            .strip_prefix("# TYPE ")
            .and_then(|kind| kind.split_once(' '))
        {
            let suffix = if kind == "counter" { "_total" } else { "" };
            if let Some((_, help)) = held.take() {
                writeln!(text, "# HELP {name}{suffix} {help}")?;
            }
            writeln!(text, "# TYPE {name}{suffix} {kind}")?;
        } else if !line.starts_with('#') {
            writeln!(text, "{line}")?;
        }
    }
    Ok(text)
}
