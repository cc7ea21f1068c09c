use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use ureq::http::Method;

use super::rounds::round_path;
use super::{Client, Path, Target, Unsuccessful};
use crate::api::{AgedSplitTableAnswer, PlayersAnswer, SplitAnswer};
use crate::cli::terminal::figures::{moment, or_dash, percent};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{PlayerDisplayName, PlayerId, RoundId, ServerName};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = "\
`possible` is the smallest difference that a split of that size can have if all wishes (parties, roles and so on) are
ignored. If `difference` is larger, the sentence about the split says by how much and why.

Examples:
  rbs scramble arena-1
  rbs scramble arena-1 --round arena-1:1763640000:17"
)]
pub(crate) struct Scramble {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    shown: Show,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the splits of a server that is named like a command
    Show(Show),
}

#[derive(Debug, Args)]
struct Show {
    /// Name of the server whose splits are shown
    #[arg(required = true)]
    server: Option<ServerName>,
    /// Show the splits from which the teams of this round were made
    #[arg(long, value_name = "ID")]
    round: Option<RoundId>,
    #[command(flatten)]
    target: Target,
}

#[derive(Deserialize)]
struct OfRound {
    table: Option<AgedSplitTableAnswer>,
}

type Names = HashMap<PlayerId, PlayerDisplayName>;

impl Scramble {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let shown = self.action.map_or(self.shown, |Action::Show(show)| show);
        let Show {
            server,
            round,
            target,
        } = shown;
        let server =
            server.context("no server is named; name one, as in `rbs scramble arena-1`")?;
        let client = target.client(flags)?;
        let path = match &round {
            None => Path::at("/v1/scramble").with("server", Some(&server)),
            Some(round) => round_path(&server, round, &["scramble"]),
        };
        let answer = client.get(&path)?;
        let table: AgedSplitTableAnswer = match &round {
            None => answer.read()?,
            Some(round) => {
                let OfRound { table } = answer.read()?;
                table.ok_or_else(|| unknown(&server, round))?
            }
        };
        let names = if target.format.json {
            Names::new()
        } else {
            names(&client, &table)?
        };
        // JSON is printed unchanged.
        answer.print(target.format, |_: &IgnoredAny, output| {
            text(&table, &names, output)
        })
    }
}

fn unknown(server: &ServerName, round: &RoundId) -> Unsuccessful {
    Unsuccessful::NotFound(format!(
        "no splits are stored for the teams of {round}: none were computed for {server} \
         between the previous round and this one, or they were among the oldest and have been deleted"
    ))
}

fn shown(table: &AgedSplitTableAnswer) -> Vec<&SplitAnswer> {
    let table = &table.table;
    table.splits.iter().chain(&table.alternatives).collect()
}

fn names(client: &Client, aged: &AgedSplitTableAnswer) -> anyhow::Result<Names> {
    let splits = shown(aged).into_iter();
    let mut players: Vec<&PlayerId> = splits
        .flat_map(|split| split.a.iter().chain(&split.b).chain(&split.waiting))
        .collect();
    players.sort_unstable();
    players.dedup();
    if players.is_empty() {
        return Ok(Names::new());
    }
    // This request would write only names, and contains none.
    let body = json!({"server": aged.table.server, "players": players});
    let answer = client.change(&Method::POST, &Path::at("/v1/players"), &body)?;
    let found: PlayersAnswer = answer.read()?;
    let named = found.players.into_iter();
    Ok(named
        .filter_map(|card| Some((card.id, card.name?)))
        .collect())
}

fn text(aged: &AgedSplitTableAnswer, names: &Names, text: &mut Output) -> fmt::Result {
    let table = &aged.table;
    let players = plural(table.eligible as u64, "player");
    writeln!(text, "Server:    {}", table.server)?;
    writeln!(text, "Pool:      {}", table.pool)?;
    writeln!(text, "By:        {}", table.by)?;
    write!(text, "Computed:  {} UTC", moment(table.computed_at))?;
    text.ago(table.computed_at);
    writeln!(text, "\nEligible:  {players}")?;
    if let Some(drawn) = &table.drawn {
        let (size, rank, of) = (drawn.size, drawn.rank, drawn.of);
        writeln!(
            text,
            "Picked:    at random for teams of {size}: number {rank} of the {of} best splits"
        )?;
    }
    if aged.ratings_changed == Some(true) {
        writeln!(
            text,
            "Some of these players' ratings have changed since the splits were computed"
        )?;
    }
    if let Some(message) = &table.message {
        writeln!(text, "{}", visible(message))?;
    }
    let splits = shown(aged);
    if splits.is_empty() {
        return Ok(());
    }
    text.next_table(figures(&splits));
    for split in splits {
        writeln!(text, "\n{} v {}", split.a.len(), split.b.len())?;
        writeln!(text, "  {}", visible(&split.message))?;
        for (label, players) in [("a", &split.a), ("b", &split.b), ("waits", &split.waiting)] {
            let players: Vec<String> = players
                .iter()
                .map(|id| match names.get(id) {
                    Some(name) => visible(name.as_str()),
                    None => id.to_string(),
                })
                .collect();
            if !players.is_empty() {
                writeln!(text, "  {label:<6} {}", players.join(", "))?;
            }
        }
    }
    Ok(())
}

fn figures<'all>(splits: &'all [&SplitAnswer]) -> Table<'all, &'all SplitAnswer> {
    Table::new(splits)
        .right("size", |split| split.size)
        .right("difference", |split| split.difference)
        .right("possible", |split| or_dash(split.best_difference))
        .right("sum a", |split| split.sum_a)
        .right("sum b", |split| split.sum_b)
        .right("odds of a", |split| {
            percent(Some(split.win_probability_a.get()))
        })
        .right("moves", |split| or_dash(split.moves))
        .left("method", |split| split.method)
        .left("optimal", |split| if split.optimal { "yes" } else { "no" })
}
