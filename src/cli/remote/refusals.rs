use std::fmt;
use std::fmt::Write as _;

use clap::Args;

use super::{Path, Target};
use crate::api::RefusalsAnswer;
use crate::cli::terminal::figures::{moment, or_nothing};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural_of;
use crate::config::Flags;
use crate::domain::ServerName;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Requests that were refused for the same reason share a row, the latest first. If several instances of RBS run, one
of them makes the list; requests that another instance refused after that one started are missing. `from` is the
client's address, as reported by the proxy in front of RBS, if there is one; secrets are shown as fingerprints.

Examples:
  rbs refusals
  rbs refusals --server arena-2
  rbs refusals --csv")]
pub(crate) struct ListRefusals {
    /// List only refused requests of this server [default: all servers]
    #[arg(long, value_name = "NAME")]
    server: Option<ServerName>,
    #[command(flatten)]
    target: Target,
}

impl ListRefusals {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::at("/v1/admin/refusals").with("server", self.server.as_ref());
        self.target.show(flags, &path, text)
    }
}

fn text(found: &RefusalsAnswer, text: &mut Output) -> fmt::Result {
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
            "{} of them are no longer listed, because newer refusals took their place",
            found.forgotten
        )?;
    }
    if found.refusals.is_empty() {
        return Ok(());
    }
    let table = Table::new(&found.refusals)
        .moment("last", |refusal| Some(refusal.last_at))
        .right("times", |refusal| refusal.count)
        .right("status", |refusal| refusal.status)
        .elastic("request", |refusal| {
            format!("{} {}", refusal.method, refusal.route)
        })
        .elastic("server", |refusal| or_nothing(refusal.server.as_ref()))
        .left("field", |refusal| or_nothing(refusal.field.as_ref()))
        .below("why", |refusal| &refusal.detail)
        .left("secret", |refusal| or_nothing(refusal.secret))
        .left("from", |refusal| {
            or_nothing(refusal.forwarded_for.or(refusal.address))
        });
    text.next_table(table);
    Ok(())
}
