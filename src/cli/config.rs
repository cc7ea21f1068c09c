use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use super::terminal::json::print;
use super::terminal::table::Table;
use super::{Bind, environment};
use crate::config::{EffectiveSetting, Flags, Origin, effective_settings};
use crate::telemetry;

/// The variable that sets what is logged.
const LOG_VARIABLE: &str = "RBS_LOG";

/// `rbs config`.
#[derive(Debug, Args)]
#[command(after_help = "\
What a service started here and now, with this environment and these options, would run with. Of
secrets it says only how many there are and where they are set.

Examples:
  rbs config
  rbs --config /etc/rbs.toml config --json")]
pub(super) struct Config {
    #[command(flatten)]
    pub(super) bind: Bind,
    /// Print one JSON object in place of text
    #[arg(long)]
    json: bool,
}

impl Config {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let (checked, mut settings) = effective_settings(flags, environment::variable)?;
        environment::check_unknown(&checked)?;
        settings.push(log_filter()?);
        settings.sort_by(|one, other| one.setting.cmp(&other.setting));
        let text = if self.json {
            format!("{}\n", json!({"settings": settings}))
        } else {
            text(&settings)
        };
        print(text.as_bytes()).context("cannot write the settings")
    }
}

/// What is logged, which only the environment sets: logging begins before any file is read.
fn log_filter() -> anyhow::Result<EffectiveSetting> {
    let given = environment::variable(LOG_VARIABLE);
    let from = match given {
        Some(_) => Origin::Environment,
        None => Origin::Default,
    };
    let place = given.is_some().then(|| LOG_VARIABLE.to_owned());
    let filter = given.unwrap_or_else(|| telemetry::DEFAULT_FILTER.to_owned());
    // A filter that would stop the start stops here too.
    let _understood = telemetry::read_filter(&filter)?;
    Ok(EffectiveSetting {
        setting: "log".to_owned(),
        value: filter.into(),
        from,
        place,
    })
}

fn text(settings: &[EffectiveSetting]) -> String {
    let from = |setting: &EffectiveSetting| {
        let from = match setting.from {
            Origin::Default => "default",
            Origin::Computed => "computed",
            Origin::File => "file",
            Origin::Environment => "environment",
            Origin::CommandLine => "command line",
        };
        match &setting.place {
            None => from.to_owned(),
            Some(place) => format!("{from}: {place}"),
        }
    };
    let value = |setting: &EffectiveSetting| match &setting.value {
        Value::Null => "not set".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Table::new(settings)
        .left("setting", |setting| &setting.setting)
        .left("value", value)
        .left("from", from)
        .text()
}
