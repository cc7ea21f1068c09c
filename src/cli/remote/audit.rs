use std::fmt;
use std::fmt::Write as _;

use clap::Args;
use serde_json::Value;

use super::view::{Page, next_page};
use super::{Path, Target};
use crate::api::{AuditAnswer, AuditedAnswer};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::config::Flags;
use crate::domain::PoolName;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each row has the figures before and after, and the fingerprint of the secret that was used; `command line` if none
was used, or `calendar` for a season that started automatically. The effect of a void on each player is in --json.

Examples:
  rbs audit --limit 5
  rbs audit --pool arena --csv")]
pub(crate) struct Audit {
    /// List only changes in this pool [default: all pools]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    target: Target,
}

impl Audit {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::at("/v1/admin/audit").with("pool", self.pool.as_ref());
        self.target.show(flags, &self.page.onto(path), text)
    }
}

fn text(found: &AuditAnswer, text: &mut Output) -> fmt::Result {
    if found.entries.is_empty() {
        return writeln!(text, "No entries in the audit log");
    }
    let table = Table::new(&found.entries)
        .moment("when", |entry| Some(entry.at))
        .left("what", |entry| &entry.action)
        .left("pool", |entry| &entry.pool)
        .left("subject", subject)
        .elastic("before", |entry| figures(entry, &entry.before))
        .elastic("after", |entry| figures(entry, &entry.after))
        .elastic("reason", |entry| {
            entry.reason.as_deref().unwrap_or_default()
        })
        .left("by", |entry| match entry.secret {
            Some(secret) => secret.to_string(),
            None if entry.after.get("by_calendar") == Some(&Value::Bool(true)) => {
                "calendar".to_owned()
            }
            None => "command line".to_owned(),
        });
    text.table(table);
    next_page(text, found.next.as_deref())
}

fn subject(entry: &AuditedAnswer) -> String {
    if let Some(name) = &entry.player_name {
        return name.to_string();
    }
    match (entry.player, &entry.server, &entry.round_id) {
        (Some(player), ..) => player.to_string(),
        (None, Some(server), Some(round)) => format!("{server} {round}"),
        _ => String::new(),
    }
}

/// Describes the state before or after an admin change in a few words: for players the rating, else all values that are
/// not lists.
fn figures(entry: &AuditedAnswer, figures: &Value) -> String {
    if entry.player.is_some() && !matches!(&*entry.action, "alias" | "forget") {
        let rating = figures.get("rating").and_then(Value::as_i64);
        return rating.map_or_else(|| "new".to_owned(), |rating| rating.to_string());
    }
    let members = figures.as_object().into_iter().flatten();
    let words = members.filter_map(|(name, value)| match (&**name, value) {
        ("void", Value::Bool(true)) => Some("void".to_owned()),
        ("void", Value::Bool(false)) => Some("counts".to_owned()),
        // The column "by" shows changes by the calendar.
        ("by_calendar", _) | (_, Value::Null | Value::Array(_) | Value::Object(_)) => None,
        (_, Value::String(text)) => Some(format!("{name} {text}")),
        (_, value) => Some(format!("{name} {value}")),
    });
    words.collect::<Vec<_>>().join(", ")
}
