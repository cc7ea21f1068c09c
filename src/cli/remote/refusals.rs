use std::fmt::Write as _;

use clap::Args;

use super::{Path, Target};
use crate::api::{RefusalAnswer, RefusalsAnswer};
use crate::cli::terminal::figures::moment;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural_of;
use crate::config::Flags;

/// `rbs refusals`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Requests that were refused for the same reason are one row, the one that was last seen first. They are what the instance
that answers has refused since it was started. `from` is who a proxy in front of it names, else who connected; the secret
stands by its fingerprint.

Examples:
  rbs refusals
  rbs refusals --csv")]
pub(crate) struct ListRefusals {
    #[command(flatten)]
    target: Target,
}

impl ListRefusals {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "refusals"]);
        let answer = self.target.client(flags)?.get(&path)?;
        answer.print(self.target.format, text)
    }
}

fn text(found: &RefusalsAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let counts = found.refusals.iter().map(|refusal| refusal.count);
    let all = counts.sum::<u64>().saturating_add(found.forgotten);
    write!(text, "Refused since {} UTC", moment(found.since))?;
    text.ago(found.since);
    writeln!(
        text,
        ": {}",
        plural_of(all, "request or round", "requests or rounds")
    )?;
    if found.forgotten > 0 {
        writeln!(
            text,
            "{} of them are not listed any more, because others came",
            found.forgotten
        )?;
    }
    if found.refusals.is_empty() {
        return Ok(text);
    }
    let table = Table::new(&found.refusals)
        .moment("last", |refusal| Some(refusal.last_at))
        .right("times", |refusal| refusal.count)
        .right("status", |refusal| refusal.status)
        .elastic("request", |refusal| {
            format!("{} {}", refusal.method, refusal.route)
        })
        .elastic("server", |refusal| {
            refusal
                .server
                .as_ref()
                .map_or_else(String::new, ToString::to_string)
        })
        .left("field", |refusal| {
            refusal.field.as_deref().unwrap_or_default()
        })
        .below("why", |refusal| &refusal.detail)
        .left("secret", |refusal| {
            let secret = refusal.secret;
            secret.map_or_else(String::new, |secret| secret.to_string())
        })
        .left("from", from);
    writeln!(text)?;
    text.table(table);
    Ok(text)
}

/// Where the requests came from.
fn from(refusal: &RefusalAnswer) -> String {
    let address = refusal.forwarded_for.or(refusal.address);
    address.map_or_else(String::new, |address| address.to_string())
}
