use std::fmt::{Error, Write as _};

use clap::Args;

use super::{Path, Target};
use crate::api::PoolsAnswer;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::config::Flags;
use crate::domain::ServerName;

/// `rbs pools`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
`shown after` is how many rounds a player has to play until the rating is shown (shadow_rounds), `stale after` how many
days without a round take it from the leaderboard (stale_days).

Examples:
  rbs pools
  rbs pools --json")]
pub(crate) struct Pools {
    #[command(flatten)]
    target: Target,
}

impl Pools {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let answer = self
            .target
            .client(flags)?
            .get(&Path::of(&["v1", "admin", "pools"]))?;
        answer.print(self.target.format, text)
    }
}

fn text(found: &PoolsAnswer) -> Result<Output, Error> {
    let mut text = Output::new();
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
    writeln!(text, "\nThe service is of version {}", found.version)?;
    Ok(text)
}
