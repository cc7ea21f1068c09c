use std::fmt;
use std::fmt::Write as _;

use clap::Args;
use serde_json::Value;

use super::{Path, Target};
use crate::api::{
    DiagnosticsAnswer, ParameterChangeAnswer, ReloadAnswer, SettingAnswer, SettingsAnswer,
};
use crate::cli::terminal::figures::{moment, or_dash, or_nothing};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::{Table, visible};
use crate::config::Flags;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Shows the settings of the running service (`rbs config` shows the settings of a service started here),
then the fingerprints of its secrets, and the history of each pool's rating constants. The column
\"from\" shows when these constants took effect: the end of the first round rated with them.

Examples:
  rbs settings
  rbs settings --json
  rbs settings --diagnostics")]
pub(crate) struct Settings {
    /// Print the data for a bug report, as text that you can paste into it
    #[arg(long, conflicts_with = "csv")]
    diagnostics: bool,
    #[command(flatten)]
    target: Target,
}

impl Settings {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        if self.diagnostics {
            let path = Path::at("/v1/admin/diagnostics");
            return self.target.show(flags, &path, diagnostics_text);
        }
        self.target
            .show(flags, &Path::at("/v1/admin/settings"), text)
    }
}

fn diagnostics_text(found: &DiagnosticsAnswer, text: &mut Output) -> fmt::Result {
    for line in found.text.lines() {
        writeln!(text, "{}", visible(line))?;
    }
    Ok(())
}

fn text(answer: &SettingsAnswer, text: &mut Output) -> fmt::Result {
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
        let warning = format!("Changed since RBS started; restart RBS to apply: {restart}");
        writeln!(text, "{}", Tone::Warning.paint(&warning))?;
    }
    writeln!(text, "\nSecrets, as used on this instance since its start")?;
    let secrets = Table::new(&answer.secrets)
        .left("secret", |secret| secret.fingerprint)
        .left("name", |secret| or_dash(secret.name.as_ref()))
        .left("for", |secret| secret.kind)
        .moment("last used", |secret| secret.last_used)
        .right("requests", |secret| secret.requests);
    text.table(secrets);
    let periods: Vec<_> = answer
        .pools
        .iter()
        .flat_map(|pool| pool.history.iter().map(|period| (&pool.pool, period)))
        .collect();
    if periods.is_empty() {
        return writeln!(text, "\nNo round has been rated yet");
    }
    writeln!(text, "\nHistory of the rating constants")?;
    let history = Table::new(&periods)
        .left("pool", |(pool, _)| pool)
        .moment("from", |(_, period)| period.began_at)
        .right("log entry", |(_, period)| period.position)
        .elastic("change", |(_, period)| changes(&period.changes));
    text.table(history);
    for pool in answer.pools.iter().filter(|pool| pool.has_earlier) {
        writeln!(
            text,
            "The pool {} has earlier changes, which are not listed",
            pool.pool
        )?;
    }
    Ok(())
}

fn changes(changes: &[ParameterChangeAnswer]) -> String {
    let change = |changed: &ParameterChangeAnswer| {
        let (before, after) = (shown(&changed.before, "off"), shown(&changed.after, "off"));
        format!("{} {before} -> {after}", changed.parameter)
    };
    match changes {
        [] => "the first".to_owned(),
        changes => changes.iter().map(change).collect::<Vec<_>>().join(", "),
    }
}

pub(crate) fn shown(value: &Value, nothing: &str) -> String {
    match value {
        Value::Null => nothing.to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(crate) const RELOAD_HELP: &str = "\
The instance that answers rereads its configuration and the files of its secrets, as it does on
SIGHUP and `systemctl reload rbs`. Its environment variables and options keep their values. Secrets,
limits, servers and all settings of pools except those of ratings change at once; the answer names the
settings that need a restart. Invalid settings change nothing. Each of several instances needs its own reload.

Examples:
  rbs reload
  rbs reload --json";

pub(crate) fn run_reload(target: &Target, flags: &Flags) -> anyhow::Result<()> {
    // A repeated request does no harm.
    let answer = target.client(flags)?.post(&Path::at("/v1/admin/reload"))?;
    answer.print(target.format, reload_text)
}

fn reload_text(answer: &ReloadAnswer, text: &mut Output) -> fmt::Result {
    const RESTART: &str = "restart to apply";
    let settings = |names: &[String], became| {
        let rows = names.iter().map(|name| (name.clone(), None, became));
        rows.collect::<Vec<_>>()
    };
    let mut changes = settings(&answer.taken, "changed");
    for (secrets, became) in [
        (&answer.secrets_added, "accepted"),
        (&answer.secrets_removed, "removed"),
    ] {
        changes.extend(secrets.iter().map(|secret| {
            let what = format!("{} secret {}", secret.kind, secret.fingerprint);
            (what, secret.name.as_ref(), became)
        }));
    }
    changes.extend(settings(&answer.restart, RESTART));
    if changes.is_empty() {
        return writeln!(text, "Nothing has changed");
    }
    let table = Table::new(&changes)
        .left("what", |(what, ..)| what)
        .left("name", |(_, name, _)| or_nothing(*name))
        .left("change", |(.., became)| became)
        .toned(|(.., became)| match *became {
            RESTART => Tone::Warning,
            _ => Tone::Plain,
        });
    text.table(table);
    Ok(())
}
