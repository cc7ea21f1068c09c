use std::fmt;
use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::Path;
use super::view::{InPool, Page, next_page};
use crate::api::{ListedPlayerAnswer, PlayerListAnswer};
use crate::cli::arguments;
use crate::cli::terminal::figures::{or_nothing, signed};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Flags;

#[derive(Debug, Args)]
#[command(after_long_help = "\
\"excess\" is how much more a player won than predicted, in standard errors over all rounds; a value
above 3 is unlikely to be luck.

Examples:
  rbs players mona
  rbs players --sort=-change_7_days --limit 10
  rbs players --filter new --sort=-excess_errors --csv
  rbs players --rank 500
  rbs players --filter floor --sort=-rounds")]
pub(crate) struct Players {
    /// List only players whose name or alias contains this text, or whose id it is
    search: Option<String>,
    #[command(flatten)]
    pool: InPool,
    /// List only players of one kind: ranked, hidden, new, stale (not played for a long time) or floor (at the lowest
    /// possible rating)
    #[arg(long, value_enum)]
    filter: Option<Filter>,
    /// Sort key: rank, rating, rounds, change_1_day, change_7_days, change_30_days, excess_errors or last_played; with
    /// - in front, the largest first (--sort=-rating) [default: rank]
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Begin the list with the first player of this rank
    #[arg(long, value_name = "N", value_parser = arguments::whole(1..=u32::MAX), conflicts_with_all = ["sort", "after"])]
    rank: Option<u32>,
    #[command(flatten)]
    page: Page,
}

/// Kind of players to which `rbs players` limits its list.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Filter {
    /// List only players with a rank on the leaderboard
    Ranked,
    /// List only players whose rating is still hidden
    Hidden,
    /// List only active players with few rounds: fewer than 100, or than twice the shadow period
    New,
    /// List only players without a round in the last `stale_days` days
    Stale,
    /// List only players at the lowest possible rating of the pool, `min_rating`
    Floor,
}

impl Players {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let value = self.filter.and_then(|filter| filter.to_possible_value());
        let filter = value.as_ref().map(PossibleValue::get_name);
        let path = Path::at("/v1/admin/players")
            .with("search", self.search.as_ref())
            .with("filter", filter.as_ref())
            .with("sort", self.sort.as_ref())
            .with("rank", self.rank.as_ref());
        self.pool.show(flags, self.page.onto(path), text)
    }
}

fn text(found: &PlayerListAnswer, text: &mut Output) -> fmt::Result {
    if found.players.is_empty() {
        return writeln!(text, "No matching players in the pool {}", found.pool);
    }
    text.table(table(&found.players));
    let first = found.offset + 1;
    let last = found.offset + u32::try_from(found.players.len()).unwrap_or(u32::MAX);
    let players = plural(found.total.into(), "player");
    writeln!(text, "\n{first} to {last} of {players}")?;
    let next = found.next.map(|next| next.to_string());
    next_page(text, next.as_deref())
}

fn table(players: &[ListedPlayerAnswer]) -> Table<'_, ListedPlayerAnswer> {
    let change = |points: i32| format!("{points:+}");
    let mut table = Table::new(players)
        .right("rank", |player| or_nothing(player.rank))
        .elastic("name", |player| or_nothing(player.name.as_ref()))
        .left("player", |player| {
            or_nothing((!player.id_hidden).then_some(player.id))
        })
        .right("rating", |player| player.rating)
        .left("is", |player| match player {
            _ if player.at_floor => "floor",
            _ if player.stale => "stale",
            _ if !player.visible => "hidden",
            _ => "",
        })
        .right("rounds", |player| player.rounds)
        .right("day", |player| change(player.change_1_day))
        .toned(|player| Tone::of_change(player.change_1_day))
        .right("7 days", |player| change(player.change_7_days))
        .toned(|player| Tone::of_change(player.change_7_days))
        .right("30 days", |player| change(player.change_30_days))
        .toned(|player| Tone::of_change(player.change_30_days))
        .right("excess", |player| signed(player.excess_errors, 1))
        .moment("last played", |player| player.last_played);
    if players.iter().any(|player| player.placing_rounds > 0) {
        table = table.right("to be placed", |player| player.placing_rounds);
    }
    table
}
