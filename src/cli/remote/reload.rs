use std::fmt::{Error, Write as _};

use clap::Args;

use super::{Path, Target};
use crate::api::{ReloadAnswer, ReloadedSecretAnswer};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::tone::Tone;
use crate::config::Flags;

/// `rbs reload`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The instance that answers reads its configuration and the files of its secrets again, as SIGHUP and
`systemctl reload rbs` have it do. Its environment and its options stay what they were. Secrets,
limits, servers, and all of a pool but its ratings change at once; what takes a restart is named.
Settings that make no sense change nothing. Of several instances each needs a reload of its own.

Examples:
  rbs reload
  rbs reload --json")]
pub(crate) struct Reload {
    #[command(flatten)]
    target: Target,
}

impl Reload {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "reload"]);
        // Sent again, it does no harm.
        let answer = self.target.client(flags)?.post(&path)?;
        answer.print(self.target.format, text)
    }
}

/// What became of a setting or a secret.
struct Change<'answer> {
    what: String,
    became: &'static str,
    secret: Option<&'answer ReloadedSecretAnswer>,
}

fn text(answer: &ReloadAnswer) -> Result<Output, Error> {
    let settings = |names: &[String], became| {
        let change = |name: &String| Change {
            what: name.clone(),
            became,
            secret: None,
        };
        names.iter().map(change).collect::<Vec<_>>()
    };
    let mut changes = settings(&answer.taken, "changed");
    for (secrets, became) in [
        (&answer.secrets_added, "accepted"),
        (&answer.secrets_removed, "removed"),
    ] {
        changes.extend(secrets.iter().map(|secret| Change {
            what: format!("{} secret {}", secret.kind, secret.fingerprint),
            became,
            secret: Some(secret),
        }));
    }
    changes.extend(settings(&answer.restart, "restart to apply"));
    let mut text = Output::new();
    if changes.is_empty() {
        writeln!(text, "Nothing has changed")?;
        return Ok(text);
    }
    let name = |change: &Change<'_>| {
        let name = change.secret.and_then(|secret| secret.name.as_ref());
        name.map_or_else(String::new, ToString::to_string)
    };
    let table = Table::new(&changes)
        .left("what", |change| &change.what)
        .left("name", name)
        .left("change", |change| change.became)
        .toned(|change| match change.became {
            "restart to apply" => Tone::Warning,
            _ => Tone::Plain,
        });
    text.table(table);
    Ok(text)
}
