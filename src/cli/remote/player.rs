use std::fmt::Write as _;

use clap::{Args, Subcommand};
use serde_json::json;
use ureq::http::Method;

use super::{Client, Path, Target, new_change_id};
use crate::api::AdminPlayerAnswer;
use crate::cli::arguments;
use crate::cli::terminal::confirm::{confirm, is_to_be_asked};
use crate::cli::terminal::figures::{minute, moment, percent};
use crate::cli::terminal::table::{Side, Table};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{PlayerId, PoolName, Score};

/// `rbs player`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  rbs player show STEAM_0:1:11101
  rbs player set '[U:1:22203]' 1500 --reason 'known from elsewhere'
  rbs player reset 76561197960287931 --pool arena --yes")]
pub(crate) struct Player {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show a player's rating, how settled it is, and the last rounds
    Show {
        #[command(flatten)]
        whom: Whom,
        #[command(flatten)]
        target: Target,
    },
    /// Give a player a rating
    Set {
        #[command(flatten)]
        whom: Whom,
        /// The rating, a whole number from the pool's min_rating to 10000
        #[arg(value_parser = arguments::whole(0..=10_000_i32))]
        rating: i32,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        target: Target,
    },
    /// Make a player new again: the initial rating, and nothing known
    Reset {
        #[command(flatten)]
        whom: Whom,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        target: Target,
    },
}

/// Whom a command concerns.
#[derive(Debug, Args)]
struct Whom {
    // No doc comment: in one, the brackets would be a link.
    #[arg(help = "The player: a SteamID64, STEAM_0:1:0 or [U:1:1]")]
    id: PlayerId,
    /// The pool [default: default]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
}

/// What a change comes with.
#[derive(Debug, Args)]
struct How {
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Do not ask first; needed where there is no terminal to ask at
    #[arg(long, short)]
    yes: bool,
}

impl Player {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        match self.action {
            Action::Show { whom, target } => {
                let answer = target.client(flags)?.get(&whom.path())?;
                answer.print(target.json, text)
            }
            Action::Set {
                whom,
                rating,
                how,
                target,
            } => {
                let client = target.client(flags)?;
                whom.ask(&client, &how, &format!("rated {rating}"))?;
                let change = json!({
                    "rating": rating, "reason": how.reason, "change_id": new_change_id()?,
                });
                let answer = client.change(&Method::PUT, &whom.path(), &change)?;
                answer.print(target.json, text)
            }
            Action::Reset { whom, how, target } => {
                let client = target.client(flags)?;
                whom.ask(&client, &how, "new again, with all that is known forgotten")?;
                let change = json!({"reason": how.reason, "change_id": new_change_id()?});
                let path = whom.path_to(&["reset"]);
                let answer = client.change(&Method::POST, &path, &change)?;
                answer.print(target.json, text)
            }
        }
    }
}

impl Whom {
    fn path(&self) -> Path {
        self.path_to(&[])
    }

    fn path_to(&self, behind: &[&str]) -> Path {
        let id = self.id.to_string();
        let parts = [&["v1", "admin", "players", &id], behind].concat();
        Path::of(&parts).with("pool", self.pool.as_ref())
    }

    /// Asks the person at the terminal, if there is one, whether the player shall be `so`.
    fn ask(&self, client: &Client, how: &How, so: &str) -> anyhow::Result<()> {
        if !is_to_be_asked(how.yes)? {
            return Ok(());
        }
        let now: AdminPlayerAnswer = client.get(&self.path())?.read()?;
        let now = now.player;
        confirm(&format!(
            "{} of the pool {} is rated {} after {}, and will be {so}. Go on?",
            now.id,
            now.pool,
            now.rating,
            plural(now.rounds.into(), "round")
        ))
    }
}

fn text(details: &AdminPlayerAnswer) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let player = &details.player;
    let latest = match player.last_played {
        None => "never".to_owned(),
        Some(at) => moment(at) + " UTC",
    };
    let hidden = if player.visible {
        ""
    } else {
        ", not shown yet"
    };
    let stale = if player.stale { ", too long ago" } else { "" };
    writeln!(text, "Player:       {}", player.id)?;
    writeln!(text, "Pool:         {}", player.pool)?;
    writeln!(text, "Rating:       {}{hidden}", player.rating)?;
    writeln!(text, "Rounds:       {}", player.rounds)?;
    writeln!(text, "Last played:  {latest}{stale}")?;
    writeln!(
        text,
        "Unsettled:    {:.2} of 1; K-factor of the next round {:.1}",
        details.convergence, details.k
    )?;
    if !details.last_rounds.is_empty() {
        let mut table = Table::new([
            ("ended (UTC)", Side::Left),
            ("server", Side::Left),
            ("round", Side::Left),
            ("result", Side::Left),
            ("odds", Side::Right),
            ("change", Side::Right),
            ("rating", Side::Right),
        ]);
        for round in &details.last_rounds {
            let result = match round.winner.score(round.team) {
                Score::WIN => "won",
                Score::DRAW => "draw",
                _ => "lost",
            };
            table.row([
                minute(round.ended_at),
                round.server.to_string(),
                round.round_id.to_string(),
                result.to_owned(),
                percent(Some(round.win_probability.get())),
                format!("{:+}", round.delta),
                round.rating.to_string(),
            ]);
        }
        write!(text, "\n{}", table.text())?;
    }
    Ok(text)
}
