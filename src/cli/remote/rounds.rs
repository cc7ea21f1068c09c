use std::fmt::Write as _;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde::Deserialize;

use super::{Path, Target};
use crate::cli::arguments;
use crate::cli::terminal::figures::{moment, percent};
use crate::cli::terminal::json::print;
use crate::cli::terminal::table::{Side, Table, visible};
use crate::cli::terminal::words::shell_word;
use crate::config::Flags;
use crate::domain::{PlayerId, PoolName, RoundId, ServerName, Timestamp};

/// `rbs rounds`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  rbs rounds --server arena-1 --limit 10
  rbs rounds --player STEAM_0:1:11101 --from 2026-11-20T00:00:00Z
  rbs rounds show arena-1 arena-1:1763640000:17"
)]
pub(crate) struct Rounds {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show one round with everybody in it
    Show(Show),
}

#[derive(Debug, Args)]
struct List {
    /// The pool [default: the server's, or default]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Only rounds of this server
    #[arg(long, value_name = "NAME")]
    server: Option<ServerName>,
    /// Only rounds that this player stands in
    #[arg(long, value_name = "ID")]
    player: Option<PlayerId>,
    /// Only rounds that ended then or later, such as 2026-11-20T00:00:00Z, or unix seconds
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    from: Option<Timestamp>,
    /// Only rounds that ended before
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    to: Option<Timestamp>,
    #[command(flatten)]
    page: Page,
    #[command(flatten)]
    target: Target,
}

/// Which part of a list is shown.
#[derive(Debug, Args)]
pub(crate) struct Page {
    /// How many, 1 to 500
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = arguments::whole(1..=500_u32))]
    limit: u32,
    /// From behind this place on, which the page before has named
    #[arg(long, value_name = "PLACE")]
    after: Option<String>,
}

#[derive(Debug, Args)]
struct Show {
    /// The server of the round
    server: ServerName,
    /// The round's id
    round: RoundId,
    #[command(flatten)]
    target: Target,
}

#[derive(Deserialize)]
struct ListedRounds {
    pool: String,
    rounds: Vec<ListedRound>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Pair {
    a: f64,
}

#[derive(Deserialize)]
struct Void {
    reason: Option<String>,
    at: String,
}

#[derive(Deserialize)]
struct ListedRound {
    round_id: String,
    server: String,
    ended_at: String,
    winner: String,
    win_probability: Pair,
    void: Option<Void>,
    players: u32,
}

/// What is shown of a round.
#[derive(Deserialize)]
pub(crate) struct WholeRound {
    round_id: String,
    server: String,
    pool: String,
    map: Option<String>,
    ended_at: String,
    received_at: String,
    winner: String,
    win_probability: Pair,
    void: Option<Void>,
    under_way: Option<String>,
    players: Vec<RoundPlayer>,
}

#[derive(Deserialize)]
struct RoundPlayer {
    id: PlayerId,
    team: String,
    before: i32,
    rating: i32,
    delta: i32,
    k: f64,
    rounds: u32,
}

impl Rounds {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        match self.action {
            None => self.list.run(flags),
            Some(Action::Show(show)) => {
                let path = round_path(&show.server, &show.round, &[]);
                let answer = show.target.client(flags)?.get(&path)?;
                let text = if show.target.json {
                    answer.line()
                } else {
                    answer.read::<WholeRound>()?.text()?
                };
                print(text.as_bytes()).context("cannot write the round")
            }
        }
    }
}

/// The path of a round, and what stands behind it.
pub(crate) fn round_path(server: &ServerName, round: &RoundId, behind: &[&str]) -> Path {
    let own = ["v1", "admin", "rounds", server.as_str(), round.as_str()];
    Path::of(&[&own, behind].concat())
}

impl Page {
    /// `path` with what says which part of the list it is.
    pub(crate) fn onto(&self, path: Path) -> Path {
        path.with("limit", Some(&self.limit))
            .with("after", self.after.as_ref())
    }
}

/// Says how the next page is asked for, where there is one.
pub(crate) fn next_page(text: &mut String, next: Option<&str>) -> std::fmt::Result {
    match next {
        None => Ok(()),
        Some(next) => writeln!(
            text,
            "\nThere are more: the same again with --after {}",
            shell_word(&visible(next))
        ),
    }
}

impl List {
    fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "rounds"])
            .with("pool", self.pool.as_ref())
            .with("server", self.server.as_ref())
            .with("player", self.player.as_ref())
            .with("from", self.from.as_ref())
            .with("to", self.to.as_ref());
        let answer = self.target.client(flags)?.get(&self.page.onto(path))?;
        let text = if self.target.json {
            answer.line()
        } else {
            answer.read::<ListedRounds>()?.text()?
        };
        print(text.as_bytes()).context("cannot write the rounds")
    }
}

impl ListedRounds {
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        if self.rounds.is_empty() {
            writeln!(text, "No such rounds in the pool {}", visible(&self.pool))?;
            return Ok(text);
        }
        let mut table = Table::new([
            ("ended (UTC)", Side::Left),
            ("server", Side::Left),
            ("round", Side::Left),
            ("winner", Side::Left),
            ("odds of a", Side::Right),
            ("players", Side::Right),
            ("void", Side::Left),
        ]);
        for round in &self.rounds {
            table.row([
                moment(&round.ended_at).chars().take(16).collect(),
                round.server.clone(),
                round.round_id.clone(),
                round.winner.clone(),
                percent(Some(round.win_probability.a)),
                round.players.to_string(),
                if round.void.is_some() { "void" } else { "" }.to_owned(),
            ]);
        }
        text += &table.text();
        next_page(&mut text, self.next.as_deref())?;
        Ok(text)
    }
}

impl WholeRound {
    /// Whether the round does not count.
    pub(crate) fn is_void(&self) -> bool {
        self.void.is_some()
    }

    /// Whether its marking is being worked on.
    pub(crate) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// How many it rates.
    pub(crate) fn rated(&self) -> usize {
        self.players.len()
    }

    /// The round for people.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let map = self.map.as_deref().unwrap_or("not told");
        let odds = percent(Some(self.win_probability.a));
        writeln!(text, "Round:     {}", visible(&self.round_id))?;
        writeln!(text, "Server:    {}", visible(&self.server))?;
        writeln!(text, "Pool:      {}", visible(&self.pool))?;
        writeln!(text, "Map:       {}", visible(map))?;
        writeln!(text, "Ended:     {} UTC", moment(&self.ended_at))?;
        writeln!(text, "Received:  {} UTC", moment(&self.received_at))?;
        writeln!(
            text,
            "Winner:    {}; odds of a {odds}",
            visible(&self.winner)
        )?;
        if let Some(void) = &self.void {
            let reason = void.reason.as_deref().unwrap_or("no reason told");
            writeln!(
                text,
                "Void:      since {} UTC: {}",
                moment(&void.at),
                visible(reason)
            )?;
        }
        if let Some(under_way) = &self.under_way {
            writeln!(text, "Under way: {}", visible(under_way))?;
        }
        if self.players.is_empty() {
            return Ok(text);
        }
        let mut table = Table::new([
            ("team", Side::Left),
            ("player", Side::Left),
            ("before", Side::Right),
            ("change", Side::Right),
            ("rating", Side::Right),
            ("K", Side::Right),
            ("rounds", Side::Right),
        ]);
        for player in &self.players {
            table.row([
                player.team.clone(),
                player.id.to_string(),
                player.before.to_string(),
                format!("{:+}", player.delta),
                player.rating.to_string(),
                format!("{:.1}", player.k),
                player.rounds.to_string(),
            ]);
        }
        write!(text, "\n{}", table.text())?;
        Ok(text)
    }
}
