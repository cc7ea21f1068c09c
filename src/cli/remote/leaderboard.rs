use std::fmt;
use std::fmt::Write as _;

use clap::Args;

use super::Path;
use super::view::{InPool, Page, next_page};
use crate::api::{LeaderboardAnswer, RankedPlayerAnswer};
use crate::cli::arguments;
use crate::cli::terminal::figures::or_nothing;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Flags;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Players whose rating is not shown yet (shadow_rounds) or who have not played for too long (stale_days) have no rank.

Examples:
  rbs leaderboard
  rbs leaderboard --rank 100 --limit 10
  rbs leaderboard --pool arena --limit 500 --csv")]
pub(crate) struct Leaderboard {
    #[command(flatten)]
    pool: InPool,
    /// Show the standings of an ended season, by its number
    #[arg(long, value_name = "N")]
    season: Option<u32>,
    /// Begin the list with the first player of this rank
    #[arg(long, value_name = "N", value_parser = arguments::whole(1..=u32::MAX), conflicts_with = "after")]
    rank: Option<u32>,
    #[command(flatten)]
    page: Page,
}

impl Leaderboard {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::at("/v1/leaderboard")
            .with("rank", self.rank.as_ref())
            .with("season", self.season.as_ref());
        self.pool.show(flags, self.page.onto(path), text)
    }
}

fn text(found: &LeaderboardAnswer, text: &mut Output) -> fmt::Result {
    let ranked = plural(found.ranked, "player");
    let have = if found.ranked == 1 { "has" } else { "have" };
    let season = found.season_name.as_ref();
    let season = or_nothing(season.map(|name| format!(", {name}")));
    writeln!(text, "Pool {}{season}: {ranked} {have} a rank", found.pool)?;
    if found.players.is_empty() {
        return Ok(());
    }
    let has_divisions = found.players.iter().any(|player| player.division.is_some());
    let mut table = Table::new(&found.players)
        .right("rank", |player| player.rank)
        .elastic("name", |player| or_nothing(player.name.as_ref()))
        .left("player", |player| {
            or_nothing((!player.id_hidden).then_some(player.id))
        })
        .right("rating", |player| player.rating);
    if has_divisions {
        table = table.left("division", |player: &RankedPlayerAnswer| {
            or_nothing(player.division.as_ref())
        });
    }
    if found.players.iter().any(|player| player.placing_rounds > 0) {
        table = table.right("to be placed", |player| player.placing_rounds);
    }
    let table = table
        .right("rounds", |player| player.rounds)
        .right("30 days", |player| {
            or_nothing(player.change_30_days.map(|change| format!("{change:+}")))
        })
        .toned(|player| Tone::of_change(player.change_30_days.unwrap_or_default()))
        .moment("last played", |player| player.last_played);
    text.next_table(table);
    next_page(text, found.next.as_deref())
}
