use std::fmt::{Error, Write as _};

use clap::Args;

use super::{Path, Target};
use crate::api::{ServerAnswer, ServerAttention, ServersAnswer};
use crate::cli::terminal::figures::signed;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::tone::Tone;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::PoolName;

/// `rbs servers`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Those that need attention stand first: \"refused\" where rounds were refused in the last 24 hours, \"silent\" where
nothing came for a day, \"plugin\" where the plugin is too old; what to do stands below. \"bias\" is by how much team a
wins more often than was predicted, in points, over all rounds. Refused rounds are those of the instance that is asked.

Examples:
  rbs servers
  rbs servers --pool arena --csv")]
pub(crate) struct Servers {
    /// Only this pool; without it all
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    target: Target,
}

impl Servers {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "servers"]).with("pool", self.pool.as_ref());
        let answer = self.target.client(flags)?.get(&path)?;
        answer.print(self.target.format, text)
    }
}

fn text(found: &ServersAnswer) -> Result<Output, Error> {
    let mut text = Output::new();
    if found.servers.is_empty() {
        writeln!(text, "No servers yet")?;
        return Ok(text);
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
        .left("plugin", |one| {
            one.plugin
                .map_or_else(String::new, |version| version.to_string())
        });
    text.table(table);
    for server in &found.servers {
        if let Some(advice) = &server.advice {
            writeln!(text, "\n{}: {advice}", server.server)?;
        }
    }
    if found.not_listed > 0 {
        writeln!(text, "\n{} more", plural(found.not_listed, "server"))?;
    }
    Ok(text)
}

/// As the API names it.
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
