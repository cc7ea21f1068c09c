use std::fmt::Write as _;

use clap::Args;
use serde_json::Value;

use super::rounds::{Page, next_page};
use super::{Path, Target};
use crate::api::AuditAnswer;
use crate::cli::terminal::figures::moment;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::visible;
use crate::config::Flags;
use crate::domain::PoolName;

/// `rbs audit`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each entry says when, what, in which pool, whom or which round it concerned, the ratings before and
after, and the fingerprint of the secret; `command line` where none was used.

Examples:
  rbs audit --limit 5
  rbs audit --pool arena --json")]
pub(crate) struct Audit {
    /// Only this pool; without it all
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    target: Target,
}

impl Audit {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "audit"]).with("pool", self.pool.as_ref());
        let answer = self.target.client(flags)?.get(&self.page.onto(path))?;
        answer.print(self.target.format, text)
    }
}

fn text(found: &AuditAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    if found.entries.is_empty() {
        writeln!(text, "Nothing was done")?;
    }
    for entry in &found.entries {
        let by = entry.secret.map(|secret| secret.to_string());
        writeln!(
            text,
            "{} UTC  {:<7}  {}  by {}",
            moment(entry.at),
            visible(&entry.action),
            entry.pool,
            by.as_deref().unwrap_or("command line")
        )?;
        if let Some(player) = entry.player {
            let rating = |figures: &Value| {
                let rating = figures.get("rating").and_then(Value::as_i64);
                rating.map_or_else(|| "new".to_owned(), |rating| rating.to_string())
            };
            let name = entry.player_name.as_ref();
            let whom = name.map_or_else(|| player.to_string(), |name| visible(name.as_str()));
            let (before, after) = (rating(&entry.before), rating(&entry.after));
            if matches!(&*entry.action, "alias" | "forget") {
                writeln!(text, "  player {whom}")?;
            } else {
                writeln!(text, "  player {whom}: {before} -> {after}")?;
            }
        }
        if let (Some(server), Some(round)) = (&entry.server, &entry.round_id) {
            writeln!(text, "  round {server} {round}")?;
        }
        if let Some(reason) = &entry.reason {
            writeln!(text, "  {}", visible(reason))?;
        }
    }
    next_page(&mut text, found.next.as_deref())?;
    Ok(text)
}
