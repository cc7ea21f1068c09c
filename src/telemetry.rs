//! Logging to standard error: text on a terminal, else one JSON object a line. Standard output is left to the commands.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Log filter if `RBS_LOG` is not set.
pub const DEFAULT_FILTER: &str = "info";

/// Log levels in ascending verbosity, and `off`.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// Starts logging with `filter`, in the format of `RBS_LOG`, such as `warn` or `info,rbs=debug`.
pub fn start(filter: &str) -> anyhow::Result<()> {
    // At the level `trace`, ureq logs the addresses of webhooks, which are secrets.
    let filter = read_filter(filter)?.with_target("ureq", LevelFilter::OFF);
    let logs = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr());
    let logs = if std::io::stderr().is_terminal() {
        logs.boxed()
    } else {
        logs.json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed()
    };
    tracing_subscriber::registry()
        .with(logs.with_filter(filter))
        .init();
    Ok(())
}

/// Parses `RBS_LOG`: levels of modules, and at most one level for all other modules.
///
/// # Errors
/// Returns an error that names the part that is neither a level nor `module=level`.
pub fn read_filter(filter: &str) -> anyhow::Result<Targets> {
    anyhow::ensure!(
        !filter.contains('['),
        "RBS_LOG filters by a span or a field in brackets, which is not supported; give log levels of modules, such as \
         info,rbs=debug"
    );
    if let Some(word) = unknown_level(filter) {
        anyhow::bail!(
            "RBS_LOG says \"{word}\", which is not a level; give one of {}, or a filter such as \
             info,rbs=debug",
            LEVELS.join(", ")
        );
    }
    filter
        .replace(' ', "")
        .parse()
        .context("RBS_LOG is not a filter; give a level such as info, or info,rbs=debug")
}

/// Returns the first part of `filter` that names neither a level nor a module with `=`. `Targets` would take such a
/// word for a module, and silence all other modules.
fn unknown_level(filter: &str) -> Option<&str> {
    filter.split(',').map(str::trim).find(|part| {
        let is_level = LEVELS.iter().any(|level| level.eq_ignore_ascii_case(part));
        !part.contains('=') && !is_level
    })
}

#[cfg(test)]
mod tests {
    use super::{read_filter, unknown_level};

    #[test]
    fn a_module_has_a_level_of_its_own() {
        use tracing::Level;
        let filter = read_filter("warn, rbs::http=trace").expect("a filter");
        assert!(filter.would_enable("rbs::http", &Level::TRACE));
        assert!(filter.would_enable("sqlx", &Level::WARN));
        assert!(!filter.would_enable("sqlx", &Level::INFO));
        for wrong in ["info,rbs=loud", "rbs[request]=trace", "rbs[{id}]=trace"] {
            assert!(read_filter(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_word_alone_must_be_a_level() {
        for filter in "info WARN off info,rbs=debug rbs::http=trace".split(' ') {
            assert_eq!(unknown_level(filter), None, "{filter}");
        }
        for (filter, word) in [
            ("loud", "loud"),
            ("info,rbs", "rbs"),
            ("", ""),
            ("info,", ""),
        ] {
            assert_eq!(unknown_level(filter), Some(word), "{filter}");
        }
    }
}
