use std::fmt::{Error, Write as _};

use clap::Args;
use serde_json::Value;

use super::{Path, Target};
use crate::api::{
    DiagnosticsAnswer, ParameterChangeAnswer, PoolSettingsAnswer, SettingAnswer, SettingsAnswer,
};
use crate::cli::terminal::figures::moment;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::tone::Tone;
use crate::config::Flags;
use crate::domain::{PoolName, Timestamp};

/// `rbs settings`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
What the service runs with, where `rbs config` prints what one started here would run with; then the
secrets by their fingerprints, and since when which constants of the ratings have counted in each
pool: from the end of the first round that they rated.

Examples:
  rbs settings
  rbs settings --json
  rbs settings --diagnostics")]
pub(crate) struct Settings {
    /// Print what a bug report should have, as a text to paste
    #[arg(long, conflicts_with = "csv")]
    diagnostics: bool,
    #[command(flatten)]
    target: Target,
}

impl Settings {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        if self.diagnostics {
            let answer = client.get(&Path::of(&["v1", "admin", "diagnostics"]))?;
            return answer.print(self.target.format, |found: &DiagnosticsAnswer| {
                let mut text = Output::new();
                for line in found.text.lines() {
                    writeln!(text, "{}", visible(line))?;
                }
                Ok(text)
            });
        }
        let answer = client.get(&Path::of(&["v1", "admin", "settings"]))?;
        answer.print(self.target.format, text)
    }
}

fn text(answer: &SettingsAnswer) -> Result<Output, Error> {
    let mut text = Output::new();
    let from = |setting: &SettingAnswer| match &setting.place {
        None => setting.from.to_string(),
        Some(place) => format!("{}: {place}", setting.from),
    };
    let settings = Table::new(&answer.settings)
        .left("setting", |setting| &setting.setting)
        .elastic("value", |setting| shown(&setting.value, "not set"))
        .elastic("from", from);
    text.table(settings);
    write!(text, "\nRead at {} UTC", moment(answer.loaded_at))?;
    text.ago(answer.loaded_at);
    writeln!(text, ", by version {}", answer.version)?;
    if !answer.restart.is_empty() {
        let restart = answer.restart.join(", ");
        let warning = format!("Changed since, restart to apply: {restart}");
        writeln!(text, "{}", Tone::Warning.paint(&warning))?;
    }
    writeln!(text, "\nSecrets, as this instance saw them since its start")?;
    let secrets = Table::new(&answer.secrets)
        .left("secret", |secret| secret.fingerprint)
        .left("name", |secret| {
            secret
                .name
                .as_ref()
                .map_or_else(|| "-".to_owned(), ToString::to_string)
        })
        .left("for", |secret| secret.kind)
        .moment("last used", |secret| secret.last_used)
        .right("requests", |secret| secret.requests);
    text.table(secrets);
    let periods: Vec<_> = answer.pools.iter().flat_map(periods).collect();
    if periods.is_empty() {
        writeln!(text, "\nNo round has been rated yet")?;
        return Ok(text);
    }
    writeln!(
        text,
        "\nWhich constants of the ratings have counted since when"
    )?;
    let history = Table::new(&periods)
        .left("pool", |period| period.pool)
        .moment("from", |period| period.from)
        .right("log entry", |period| period.position)
        .elastic("change", |period| &period.change);
    text.table(history);
    for pool in answer.pools.iter().filter(|pool| pool.has_earlier) {
        writeln!(text, "Of {} there are earlier ones", pool.pool)?;
    }
    Ok(text)
}

/// A stretch of rounds with the same constants.
struct Period<'answer> {
    pool: &'answer PoolName,
    from: Option<Timestamp>,
    position: u64,
    change: String,
}

fn periods(pool: &PoolSettingsAnswer) -> impl Iterator<Item = Period<'_>> {
    pool.history.iter().map(|period| {
        let changes: Vec<String> = period.changes.iter().map(change).collect();
        Period {
            pool: &pool.pool,
            from: period.began_at,
            position: period.position,
            change: if changes.is_empty() {
                "the first".to_owned()
            } else {
                changes.join(", ")
            },
        }
    })
}

fn change(changed: &ParameterChangeAnswer) -> String {
    let (before, after) = (shown(&changed.before, "off"), shown(&changed.after, "off"));
    format!("{} {before} -> {after}", changed.parameter)
}

fn shown(value: &Value, nothing: &str) -> String {
    match value {
        Value::Null => nothing.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
