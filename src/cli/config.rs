use serde_json::json;

use super::environment;
use super::remote::settings::shown;
use super::terminal::output::Format;
use super::terminal::screen::Tone;
use super::terminal::table::Table;
use crate::config::{EffectiveSetting, Flags, Origin, Settings, effective_settings};
use crate::telemetry;

const LOG_VARIABLE: &str = "RBS_LOG";

pub(super) const HELP: &str = "\
Shows the settings that RBS would have if it started now with this environment and these options.
Secrets are not shown, only how many there are and where they are set.

Examples:
  rbs config
  rbs --config /etc/rbs.toml config --json";

pub(super) fn run(format: Format, flags: &Flags) -> anyhow::Result<()> {
    let (checked, settings) = all_settings(flags, environment::variable)?;
    environment::check_unknown(&checked)?;
    format.print(&json!({"settings": settings}), |_, output| {
        output.table(table(&settings));
        Ok(())
    })
}

/// Returns the checked settings, and a list of all settings with their sources, sorted by name. The function `variable`
/// looks up an environment variable.
pub(super) fn all_settings(
    flags: &Flags,
    variable: fn(&str) -> Option<String>,
) -> anyhow::Result<(Settings, Vec<EffectiveSetting>)> {
    let (checked, mut settings) = effective_settings(flags, variable)?;
    settings.push(log_filter(variable(LOG_VARIABLE))?);
    settings.sort_by(|one, other| one.setting.cmp(&other.setting));
    Ok((checked, settings))
}

/// Returns the log filter as a setting. Only the environment can set it, because logging begins before files are read.
fn log_filter(given: Option<String>) -> anyhow::Result<EffectiveSetting> {
    let from = match given {
        Some(_) => Origin::Environment,
        None => Origin::Default,
    };
    let place = given.is_some().then(|| LOG_VARIABLE.to_owned());
    let filter = given.unwrap_or_else(|| telemetry::DEFAULT_FILTER.to_owned());
    // An invalid filter that would prevent the start is an error here, too.
    let _understood = telemetry::read_filter(&filter)?;
    Ok(EffectiveSetting {
        setting: "log".to_owned(),
        value: filter.into(),
        from,
        place,
        restart: true,
        pool: None,
    })
}

fn table(settings: &[EffectiveSetting]) -> Table<'_, EffectiveSetting> {
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
    Table::new(settings)
        .left("setting", |setting| &setting.setting)
        .elastic("value", |setting| shown(&setting.value, "not set"))
        .elastic("from", from)
        .toned(|setting| match setting.from {
            Origin::Default => Tone::Faint,
            _ => Tone::Plain,
        })
}
