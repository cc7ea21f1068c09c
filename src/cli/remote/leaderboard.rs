use std::fmt::Write as _;

use clap::Args;

use super::rounds::{Page, next_page};
use super::{Path, Target};
use crate::api::{LeaderboardAnswer, RankedPlayerAnswer};
use crate::cli::arguments;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::tone::Tone;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::PoolName;

/// `rbs leaderboard`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Whose rating is not shown yet (shadow_rounds) or who played too long ago (stale_days) has no rank.

Examples:
  rbs leaderboard
  rbs leaderboard --rank 100 --limit 10
  rbs leaderboard --pool arena --limit 500 --csv")]
pub(crate) struct Leaderboard {
    /// The pool [default: default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// The number of a season that ended, for its standings
    #[arg(long, value_name = "N")]
    season: Option<u32>,
    /// Begin with the first player of this rank
    #[arg(long, value_name = "N", value_parser = arguments::whole(1..=u32::MAX), conflicts_with = "after")]
    rank: Option<u32>,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    target: Target,
}

impl Leaderboard {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        let path = Path::of(&["v1", "leaderboard"])
            .with("pool", client.pool(self.pool)?.as_ref())
            .with("rank", self.rank.as_ref())
            .with("season", self.season.as_ref());
        let answer = client.get(&self.page.onto(path))?;
        answer.print(self.target.format, text)
    }
}

fn text(found: &LeaderboardAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let ranked = plural(found.ranked, "player");
    let have = if found.ranked == 1 { "has" } else { "have" };
    let season = found
        .season_name
        .as_ref()
        .map(|name| format!(", {name}"))
        .unwrap_or_default();
    writeln!(text, "Pool {}{season}: {ranked} {have} a rank", found.pool)?;
    if found.players.is_empty() {
        return Ok(text);
    }
    let has_divisions = found.players.iter().any(|player| player.division.is_some());
    let mut table = Table::new(&found.players)
        .right("rank", |player| player.rank)
        .elastic("name", |player| {
            player.name.as_ref().map_or("", |name| name.as_str())
        })
        .left("player", |player| {
            if player.id_hidden {
                String::new()
            } else {
                player.id.to_string()
            }
        })
        .right("rating", |player| player.rating);
    if has_divisions {
        table = table.left("division", |player: &RankedPlayerAnswer| {
            player.division.clone().unwrap_or_default()
        });
    }
    if found.players.iter().any(|player| player.placing_rounds > 0) {
        table = table.right("to be placed", |player| player.placing_rounds);
    }
    let table = table
        .right("rounds", |player| player.rounds)
        .right("30 days", |player| {
            let change = player.change_30_days;
            change
                .map(|change| format!("{change:+}"))
                .unwrap_or_default()
        })
        .toned(|player| Tone::of_change(player.change_30_days.unwrap_or_default()))
        .moment("last played", |player| player.last_played);
    writeln!(text)?;
    text.table(table);
    next_page(&mut text, found.next.as_deref())?;
    Ok(text)
}
