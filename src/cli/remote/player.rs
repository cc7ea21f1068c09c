use std::fmt;
use std::fmt::Write as _;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use ureq::http::Method;

use super::view::{InPool, PoolClient};
use super::wait::wait_for_pool;
use super::{Path, Unsuccessful, new_change_id, profile};
use crate::api::{AdminPlayerAnswer, PlayerListAnswer};
use crate::cli::arguments;
use crate::cli::terminal::figures::{moment, or_dash, or_nothing, percent};
use crate::cli::terminal::output::{Output, print_json};
use crate::cli::terminal::screen::{Tone, confirm, is_to_be_asked};
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{ModeName, PlayerId, Score};

const MAX_NAMED: u32 = 20;

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
    /// Show a player's rating, rank, record, convergence and last rounds
    Show {
        #[arg(help = "The player: a SteamID64, STEAM_0:1:0 or [U:1:1], or a part of the name")]
        whom: String,
        #[command(flatten)]
        pool: InPool,
    },
    /// Set a player's alias in every pool, or remove it
    Alias {
        #[command(flatten)]
        whom: Whom,
        /// New name of the player, 1 to 64 characters; if left out, the name that game servers send
        alias: Option<String>,
        /// Reason for setting or removing the player's alias, for the audit log: 1 to 500 characters
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Delete a player's names and store none from then on; ratings and rounds stay
    Forget {
        #[command(flatten)]
        change: Change,
        /// Also hide the id: show a number in its place
        #[arg(long)]
        hide_id: bool,
        /// Undo an earlier `forget`: store the player's names again from now on
        #[arg(long, conflicts_with = "hide_id")]
        undo: bool,
    },
    /// Show a player's powers, and the games that they come from
    Powers {
        #[command(flatten)]
        whom: Whom,
        /// Game mode for which powers (strength measured by scoreboards) are shown [default: any]
        #[arg(long, value_name = "NAME")]
        mode: Option<ModeName>,
    },
    /// Set a player's rating
    Set {
        #[command(flatten)]
        change: Change,
        /// New rating of the player, a whole number from the pool's min_rating to 10000
        #[arg(value_parser = arguments::whole(0..=10_000_i32))]
        rating: i32,
    },
    /// Reset a player to a new one, with the initial rating
    Reset {
        #[command(flatten)]
        change: Change,
    },
    /// Undo the last set or reset of a player, as if it had never been made
    Undo {
        #[command(flatten)]
        change: Change,
    },
}

#[derive(Debug, Args)]
struct Whom {
    // In a doc comment, the brackets would be a link.
    #[arg(help = "The player: a SteamID64, STEAM_0:1:0 or [U:1:1]")]
    id: PlayerId,
    #[command(flatten)]
    pool: InPool,
}

#[derive(Debug, Args)]
struct Change {
    #[command(flatten)]
    whom: Whom,
    /// Reason for the change, for the audit log: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Do not ask for confirmation; required without a terminal
    #[arg(long, short)]
    yes: bool,
}

impl Player {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        match self.action {
            Action::Show { whom, pool } => show(&pool.client(flags)?, &whom),
            Action::Alias {
                whom,
                alias,
                reason,
            } => {
                let body = json!({"alias": alias, "reason": reason});
                whom.post(&whom.pool.client(flags)?, "alias", &body)
            }
            Action::Forget {
                change,
                hide_id,
                undo,
            } => {
                let (whom, client) = (&change.whom, change.whom.pool.client(flags)?);
                if is_to_be_asked(change.yes)? {
                    let id = whom.id;
                    confirm(&if undo {
                        format!("RBS will store names of {id} again. Go on?")
                    } else {
                        format!(
                            "The name and alias of {id} will be deleted, and no new names stored. Go on?"
                        )
                    })?;
                }
                let body = json!({"forgotten": !undo, "hide_id": hide_id, "reason": change.reason});
                whom.post(&client, "forget", &body)
            }
            Action::Powers { whom, mode } => {
                let path = whom.path(&["powers"]).with("mode", mode.as_ref());
                whom.pool.show(flags, path, profile::powers_text)
            }
            Action::Set { change, rating } => {
                let (so, body) = (format!("rated {rating}"), json!({"rating": rating}));
                change.make(flags, &so, (&Method::PUT, &[]), body)
            }
            Action::Reset { change } => {
                let so = "a new player again, without the earlier rating and rounds";
                change.make(flags, so, (&Method::POST, &["reset"]), json!({}))
            }
            Action::Undo { change } => change.undo(flags),
        }
    }
}

fn show(client: &PoolClient, whom: &str) -> anyhow::Result<()> {
    let id = find(client, whom)?;
    let answer = client.get(player_path(id, &[]))?;
    let profile = client.get(Path::of(&["v1", "players", &id.to_string(), "profile"]))?;
    if client.format.json {
        let mut whole: Value = answer.read()?;
        whole["profile"] = profile.read()?;
        return print_json(&whole);
    }
    let profile = profile.read()?;
    answer.print(client.format, |details, output| {
        text(details, output)?;
        profile::text(&profile, output)
    })
}

fn player_path(id: PlayerId, behind: &[&str]) -> Path {
    let id = id.to_string();
    Path::of(&[&["v1", "admin", "players", &id], behind].concat())
}

/// Finds the only player with this id, or with this text in the name or alias.
fn find(client: &PoolClient, whom: &str) -> anyhow::Result<PlayerId> {
    if let Ok(id) = whom.parse() {
        return Ok(id);
    }
    let path = Path::at("/v1/admin/players")
        .with("search", Some(&whom))
        .with("limit", Some(&MAX_NAMED));
    let found: PlayerListAnswer = client.get(path)?.read()?;
    match found.players.as_slice() {
        [] => Err(Unsuccessful::NotFound(format!(
            "no player of the pool {} has a name like \"{whom}\", and it is not an id such as 76561197960265729",
            found.pool
        ))
        .into()),
        [one] => Ok(one.id),
        several => {
            let mut listed = String::new();
            for player in several {
                let name = or_dash(player.name.as_ref());
                write!(listed, "\n  {}  {}", player.id, visible(&name))?;
            }
            Err(Unsuccessful::Refused(format!(
                "{} players of the pool {} have a name like \"{whom}\"; give the id of one:{listed}",
                found.total, found.pool
            ))
            .into())
        }
    }
}

impl Whom {
    fn path(&self, behind: &[&str]) -> Path {
        player_path(self.id, behind)
    }

    fn post(&self, client: &PoolClient, action: &str, body: &Value) -> anyhow::Result<()> {
        let answer = client.change(&Method::POST, self.path(&[action]), body)?;
        answer.print(client.format, text)
    }
}

impl Change {
    /// Sends the change of a player, after asking for confirmation at a terminal. `so` describes the player after the
    /// change.
    fn make(
        self,
        flags: &Flags,
        so: &str,
        (method, behind): (&Method, &[&str]),
        mut body: Value,
    ) -> anyhow::Result<()> {
        let client = self.whom.pool.client(flags)?;
        if is_to_be_asked(self.yes)? {
            let answer: AdminPlayerAnswer = client.get(self.whom.path(&[]))?.read()?;
            let now = answer.player;
            confirm(&format!(
                "The player {} of the pool {} is rated {} after {}, and will be {so}. Go on?",
                now.id,
                now.pool,
                now.rating,
                plural(now.rounds.into(), "round")
            ))?;
        }
        body["reason"] = json!(self.reason);
        body["change_id"] = json!(new_change_id()?);
        let answer = client.change(method, self.whom.path(behind), &body)?;
        answer.print(client.format, text)
    }

    fn undo(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.whom.pool.client(flags)?;
        let look = || client.get(self.whom.path(&[]));
        let now: AdminPlayerAnswer = look()?.read()?;
        let (player, last) = (&now.player, now.last_change.as_ref());
        let last = last.with_context(|| {
            format!(
                "the player {} has no change to undo in the pool {}: none was made, or it is already undone or pruned",
                player.id, player.pool
            )
        })?;
        if is_to_be_asked(self.yes)? {
            let change = match last.rating {
                Some(rating) => format!("set to {rating}"),
                None => "reset".to_owned(),
            };
            confirm(&format!(
                "{} of the pool {} is rated {}, and was {change} on {} UTC. That change will be undone, \
                 and the points from rounds since then are kept; all later ratings of the pool \
                 are recomputed. Go on?",
                player.id,
                player.pool,
                player.rating,
                moment(last.at)
            ))?;
        }
        let undoes = &last.change_id;
        let body = json!({"undoes": undoes, "reason": self.reason, "change_id": new_change_id()?});
        let mut answer = client.change(&Method::POST, self.whom.path(&["undo"]), &body)?;
        if answer.is_in_progress() {
            wait_for_pool(&client.client, client.pool.as_ref())?;
            answer = look()?;
            let then: AdminPlayerAnswer = answer.read()?;
            anyhow::ensure!(
                then.last_change
                    .is_none_or(|change| change.change_id != *undoes),
                "nothing was undone: the undo was cancelled, the service was stopped, or an error \
                 occurred (see the service's log); try again"
            );
        }
        answer.print(client.format, text)
    }
}

fn text(details: &AdminPlayerAnswer, text: &mut Output) -> fmt::Result {
    let player = &details.player;
    let hidden = or_nothing((!player.visible).then_some(", not shown yet"));
    let stale = or_nothing(player.stale.then_some(", too long ago for a rank"));
    let id = or_nothing((!details.id_hidden).then_some(player.id));
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
        "Unsettled:    {:.2} (0 settled, 1 still moving); K-factor for the next round {:.1}",
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
        text.next_table(table);
    }
    Ok(())
}
