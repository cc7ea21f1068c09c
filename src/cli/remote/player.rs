use std::fmt::Write as _;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use ureq::http::Method;

use super::wait::wait_for_pool;
use super::{Client, Path, Target, Unsuccessful, new_change_id, powers, profile};
use crate::api::{AdminPlayerAnswer, PlayerListAnswer};
use crate::cli::arguments;
use crate::cli::terminal::confirm::{confirm, is_to_be_asked};
use crate::cli::terminal::figures::{moment, percent};
use crate::cli::terminal::json::print_json;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::tone::Tone;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{ModeName, PlayerId, PoolName, Score};

/// How many players are listed of those whose names are alike.
const MOST_NAMED: u32 = 20;

/// `rbs player`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rbs player show STEAM_0:1:11101
  rbs player show Ramona
  rbs player powers STEAM_0:1:11101 --mode ctf
  rbs player set '[U:1:22203]' 1500 --reason 'known from elsewhere'
  rbs player reset 76561197960287931 --pool arena --yes
  rbs player undo 76561197960287931 --pool arena --reason 'it was the wrong player'")]
pub(crate) struct Player {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show a player's rating, rank and record, how settled the rating is, and the last rounds
    Show {
        #[arg(help = "The player: a SteamID64, STEAM_0:1:0 or [U:1:1], or a part of the name")]
        whom: String,
        /// The pool [default: default if it has rounds, else the only one that has]
        #[arg(long, value_name = "NAME")]
        pool: Option<PoolName>,
        #[command(flatten)]
        target: Target,
    },
    /// Call a player otherwise than game servers do, in every pool, or by their name again
    Alias {
        #[command(flatten)]
        whom: Whom,
        /// What to call the player, 1 to 64 characters; left out, the name that game servers send
        alias: Option<String>,
        /// Why, for the audit: 1 to 500 characters
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        target: Target,
    },
    /// Delete what a player is called, and keep no name from then on; ratings and rounds stay
    Forget {
        #[command(flatten)]
        change: Change,
        /// Show people a number in place of the id too
        #[arg(long)]
        hide_id: bool,
        /// Take it back: keep names again from now on
        #[arg(long, conflicts_with = "hide_id")]
        undo: bool,
    },
    /// Show what a player is worth by each power, and the games behind it
    Powers {
        #[command(flatten)]
        whom: Whom,
        /// For games of this mode [default: any]
        #[arg(long, value_name = "NAME")]
        mode: Option<ModeName>,
        #[command(flatten)]
        target: Target,
    },
    /// Give a player a rating
    Set {
        #[command(flatten)]
        change: Change,
        /// The rating, a whole number from the pool's min_rating to 10000
        #[arg(value_parser = arguments::whole(0..=10_000_i32))]
        rating: i32,
    },
    /// Make a player new again: the initial rating, and nothing known
    Reset {
        #[command(flatten)]
        change: Change,
    },
    /// Undo the last set or reset of a player: every rating becomes as if it had never been made
    Undo {
        #[command(flatten)]
        change: Change,
    },
}

/// Whom a command concerns.
#[derive(Debug, Args)]
struct Whom {
    // No doc comment: in one, the brackets would be a link.
    #[arg(help = "The player: a SteamID64, STEAM_0:1:0 or [U:1:1]")]
    id: PlayerId,
    /// The pool [default: default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
}

/// A change of a player.
#[derive(Debug, Args)]
struct Change {
    #[command(flatten)]
    whom: Whom,
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Do not ask first; needed where there is no terminal to ask at
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    target: Target,
}

impl Player {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        match self.action {
            Action::Show { whom, pool, target } => {
                let client = target.client(flags)?;
                let pool = client.pool(pool)?;
                let id = find(&client, &whom, pool.as_ref())?;
                let whom = Whom { id, pool };
                let (answer, more) = (client.get(&whom.path(&[]))?, client.get(&whom.profile())?);
                if target.format.json {
                    let mut whole: Value = answer.read()?;
                    whole["profile"] = more.read()?;
                    return print_json(&whole);
                }
                let mut output = text(&answer.read()?)?;
                output.append(profile::text(&more.read()?)?);
                output.print(target.format)
            }
            Action::Alias {
                whom,
                alias,
                reason,
                target,
            } => {
                let body = json!({"alias": alias, "reason": reason});
                let client = target.client(flags)?;
                let path = whom.meant(&client)?.path(&["alias"]);
                let answer = client.change(&Method::POST, &path, &body)?;
                answer.print(target.format, text)
            }
            Action::Forget {
                change,
                hide_id,
                undo,
            } => {
                let client = change.target.client(flags)?;
                if is_to_be_asked(change.yes)? {
                    let id = change.whom.id;
                    confirm(&if undo {
                        format!("Names of {id} will be kept again. Go on?")
                    } else {
                        format!("Name and alias of {id} will be deleted, and none kept. Go on?")
                    })?;
                }
                let body = json!({"forgotten": !undo, "hide_id": hide_id, "reason": change.reason});
                let path = change.whom.meant(&client)?.path(&["forget"]);
                let answer = client.change(&Method::POST, &path, &body)?;
                answer.print(change.target.format, text)
            }
            Action::Powers { whom, mode, target } => {
                let client = target.client(flags)?;
                let path = whom.meant(&client)?.path(&["powers"]);
                let answer = client.get(&path.with("mode", mode.as_ref()))?;
                answer.print(target.format, powers::text)
            }
            Action::Set { change, rating } => {
                let (so, body) = (format!("rated {rating}"), json!({"rating": rating}));
                change.make(flags, &so, (&Method::PUT, &[]), body)
            }
            Action::Reset { change } => {
                let so = "new again, with all that is known forgotten";
                change.make(flags, so, (&Method::POST, &["reset"]), json!({}))
            }
            Action::Undo { change } => change.undo(flags),
        }
    }
}

/// The one player whose id that is, or whose name or alias has it in it.
fn find(client: &Client, whom: &str, pool: Option<&PoolName>) -> anyhow::Result<PlayerId> {
    if let Ok(id) = whom.parse() {
        return Ok(id);
    }
    let path = Path::of(&["v1", "admin", "players"])
        .with("pool", pool)
        .with("search", Some(&whom))
        .with("limit", Some(&MOST_NAMED));
    let found: PlayerListAnswer = client.get(&path)?.read()?;
    match found.players.as_slice() {
        [] => Err(Unsuccessful::NotFound(format!(
            "nobody in the pool {} is called like \"{whom}\", and it is no id such as 76561197960265729",
            found.pool
        ))
        .into()),
        [one] => Ok(one.id),
        several => {
            let mut listed = String::new();
            for player in several {
                let name = player.name.as_ref().map_or("-", |name| name.as_str());
                write!(listed, "\n  {}  {}", player.id, visible(name))?;
            }
            Err(Unsuccessful::Refused(format!(
                "{} players of the pool {} are called like \"{whom}\"; name one by id:{listed}",
                found.total, found.pool
            ))
            .into())
        }
    }
}

impl Whom {
    /// Replaces a missing pool by the one that [`Client::pool`] chooses.
    fn meant(self, client: &Client) -> anyhow::Result<Self> {
        let pool = client.pool(self.pool)?;
        Ok(Self { pool, ..self })
    }

    /// The path of the player, with what stands `behind` it.
    fn path(&self, behind: &[&str]) -> Path {
        let id = self.id.to_string();
        let parts = [&["v1", "admin", "players", &id], behind].concat();
        Path::of(&parts).with("pool", self.pool.as_ref())
    }

    /// The path of how the player does.
    fn profile(&self) -> Path {
        let id = self.id.to_string();
        Path::of(&["v1", "players", &id, "profile"]).with("pool", self.pool.as_ref())
    }
}

impl Change {
    /// Makes the change, once the person at the terminal, if there is one, agrees that the player
    /// shall be `so`.
    fn make(
        self,
        flags: &Flags,
        so: &str,
        (method, behind): (&Method, &[&str]),
        mut body: Value,
    ) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        let whom = self.whom.meant(&client)?;
        if is_to_be_asked(self.yes)? {
            let now: AdminPlayerAnswer = client.get(&whom.path(&[]))?.read()?;
            let now = now.player;
            confirm(&format!(
                "{} of the pool {} is rated {} after {}, and will be {so}. Go on?",
                now.id,
                now.pool,
                now.rating,
                plural(now.rounds.into(), "round")
            ))?;
        }
        body["reason"] = json!(self.reason);
        body["change_id"] = json!(new_change_id()?);
        let answer = client.change(method, &whom.path(behind), &body)?;
        answer.print(self.target.format, text)
    }

    /// Undoes the last change of the player that counts, and waits until every rating follows.
    fn undo(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        let whom = self.whom.meant(&client)?;
        let look = || client.get(&whom.path(&[]));
        let now: AdminPlayerAnswer = look()?.read()?;
        let (player, last) = (&now.player, now.last_change.as_ref());
        let last = last.with_context(|| {
            format!(
                "{} was never set or reset in the pool {}, or that is undone or pruned: there is nothing to undo",
                player.id, player.pool
            )
        })?;
        if is_to_be_asked(self.yes)? {
            let change = match last.rating {
                Some(rating) => format!("set to {rating}"),
                None => "reset".to_owned(),
            };
            confirm(&format!(
                "{} of the pool {} is rated {}, and was {change} on {} UTC. It will be as if that had never been \
                 done, with all that rounds have added since; the ratings of the pool from there on are computed \
                 again. Go on?",
                player.id,
                player.pool,
                player.rating,
                moment(last.at)
            ))?;
        }
        let undoes = &last.change_id;
        let body = json!({"undoes": undoes, "reason": self.reason, "change_id": new_change_id()?});
        let mut answer = client.change(&Method::POST, &whom.path(&["undo"]), &body)?;
        if answer.is_under_way() {
            wait_for_pool(&client, whom.pool.as_ref())?;
            answer = look()?;
            let then: AdminPlayerAnswer = answer.read()?;
            anyhow::ensure!(
                then.last_change
                    .is_none_or(|change| change.change_id != *undoes),
                "nothing was undone, because it was called off or the service was stopped, or by a failure that its \
                 log names; send it again"
            );
        }
        answer.print(self.target.format, text)
    }
}

fn text(details: &AdminPlayerAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let player = &details.player;
    let hidden = if player.visible {
        ""
    } else {
        ", not shown yet"
    };
    let stale = if player.stale { ", too long ago" } else { "" };
    let id = if details.id_hidden {
        String::new()
    } else {
        player.id.to_string()
    };
    match &player.name {
        Some(name) => writeln!(text, "Player:       {}  {id}", visible(name.as_str()))?,
        None => writeln!(text, "Player:       {id}")?,
    }
    if details.forgotten {
        writeln!(text, "Forgotten:    no names are kept")?;
    }
    writeln!(text, "Pool:         {}", player.pool)?;
    writeln!(text, "Rating:       {}{hidden}", player.rating)?;
    writeln!(text, "Rounds:       {}", player.rounds)?;
    match player.last_played {
        None => writeln!(text, "Last played:  never")?,
        Some(at) => {
            write!(text, "Last played:  {} UTC", moment(at))?;
            text.ago(at);
            writeln!(text, "{stale}")?;
        }
    }
    writeln!(
        text,
        "Unsettled:    {:.2} of 1; K-factor of the next round {:.1}",
        details.convergence, details.k
    )?;
    if !details.last_rounds.is_empty() {
        let table = Table::new(&details.last_rounds)
            .moment("ended", |round| Some(round.ended_at))
            .elastic("server", |round| &round.server)
            .left("round", |round| &round.round_id)
            .left("result", |round| match round.winner.score(round.team) {
                Score::WIN => "won",
                Score::DRAW => "draw",
                _ => "lost",
            })
            .right("odds", |round| percent(Some(round.win_probability.get())))
            .right("change", |round| format!("{:+}", round.delta))
            .toned(|round| Tone::of_change(round.delta))
            .right("rating", |round| round.rating);
        writeln!(text)?;
        text.table(table);
    }
    Ok(text)
}
