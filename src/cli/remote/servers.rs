use std::fmt;
use std::fmt::Write as _;

use clap::Args;

use super::{Path, Target};
use crate::api::{PoolsAnswer, ServerAnswer, ServerAttention, ServersAnswer};
use crate::cli::terminal::figures::{or_nothing, signed};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{PoolName, ServerName};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Servers that need attention come first: \"refused\" if rounds were refused in the last 24 hours, \"silent\" if the
server sent nothing for a day, \"plugin\" if the plugin is too old; advice follows below. \"bias\" is how much more
often team a wins than predicted, in percentage points over all rounds. Restarts do not reset the number of refused
rounds.

Examples:
  rbs servers
  rbs servers --pool arena --csv")]
pub(crate) struct Servers {
    /// List only servers of this pool [default: all pools]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    target: Target,
}

impl Servers {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::at("/v1/admin/servers").with("pool", self.pool.as_ref());
        self.target.show(flags, &path, text)
    }
}

fn text(found: &ServersAnswer, text: &mut Output) -> fmt::Result {
    if found.servers.is_empty() {
        return writeln!(text, "No servers yet");
    }
    let table = Table::new(&found.servers)
        .elastic("server", |one| &one.server)
        .elastic("pool", |one| &one.pool)
        .left("needs", |one| one.attention.map_or("", word))
        .toned(tone)
        .moment("last seen", |one| one.last_seen_at)
        .right("today", |one| one.rounds_today)
        .right("24 h", |one| one.rounds_24_hours)
        .right("refused", |one| one.refused_24_hours)
        .right("bias", |one| signed(one.bias.map(|bias| 100.0 * bias), 1))
        .left("plugin", |one| or_nothing(one.plugin));
    text.table(table);
    for server in &found.servers {
        if let Some(advice) = &server.advice {
            writeln!(text, "\n{}: {advice}", server.server)?;
        }
    }
    if found.not_listed > 0 {
        writeln!(text, "\n{} more", plural(found.not_listed, "server"))?;
    }
    Ok(())
}

fn word(attention: ServerAttention) -> &'static str {
    match attention {
        ServerAttention::Refused => "refused",
        ServerAttention::Silent => "silent",
        ServerAttention::Plugin => "plugin",
    }
}

fn tone(server: &ServerAnswer) -> Tone {
    match server.attention {
        Some(ServerAttention::Refused) => Tone::Bad,
        Some(ServerAttention::Silent | ServerAttention::Plugin) => Tone::Warning,
        None => Tone::Plain,
    }
}

pub(crate) const POOLS_HELP: &str = "\
`shown after` is the number of rounds that a player must play before the rating is shown (shadow_rounds). `stale after`
is the number of days without a round after which a player leaves the leaderboard (stale_days).

Examples:
  rbs pools
  rbs pools --json";

pub(crate) fn run_pools(target: &Target, flags: &Flags) -> anyhow::Result<()> {
    target.show(flags, &Path::at("/v1/admin/pools"), pools_text)
}

fn pools_text(found: &PoolsAnswer, text: &mut Output) -> fmt::Result {
    let table = Table::new(&found.pools)
        .left("pool", |pool| &pool.pool)
        .left("model", |pool| &pool.model)
        .right("theta", |pool| pool.theta)
        .right("rounds", |pool| pool.rounds)
        .right("shown after", |pool| pool.shadow_rounds)
        .right("stale after", |pool| pool.stale_days)
        .left("leaderboard", |pool| {
            if pool.leaderboard_public {
                "public"
            } else {
                "private"
            }
        })
        .elastic("servers", |pool| {
            let servers = pool.servers.iter().map(ServerName::as_str);
            servers.collect::<Vec<&str>>().join(", ")
        });
    text.table(table);
    writeln!(text, "\nThe service is of version {}", found.version)
}
