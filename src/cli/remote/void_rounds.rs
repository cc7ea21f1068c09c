use std::fmt::Write as _;

use clap::Args;
use serde_json::{Value, json};
use ureq::http::Method;

use super::wait::wait_for_pool;
use super::{Answer, Client, Path, Target, new_change_id};
use crate::api::{PoolUnderWayAnswer, VoidRoundsAnswer};
use crate::cli::arguments;
use crate::cli::terminal::confirm::{confirm, is_to_be_asked};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{PoolName, ServerName, Timestamp};

/// `rbs rounds void`.
#[derive(Debug, Args)]
#[command(
    override_usage = "rbs rounds void --server <NAME> --since <TIME> --reason <TEXT>",
    after_help = "\
The ratings of the pool are computed again once for all of the rounds, which count no longer at the same moment.
Each can be restored by `rbs unvoid`. Sent again, rounds that are void already are left as they are.

Examples:
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --reason 'teams were swapped' --dry-run
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --until 2026-11-20T22:00:00Z --reason 'a test'"
)]
pub(super) struct VoidRounds {
    /// The server of the rounds
    #[arg(long, value_name = "NAME")]
    server: ServerName,
    /// Rounds that ended then or later, such as 2026-11-20T20:00:00Z, or unix seconds
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    since: Timestamp,
    /// Rounds that ended before
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    until: Option<Timestamp>,
    /// The pool of the rounds [default: the server's, or default]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Only say how many rounds that would be, and whose ratings would move
    #[arg(long)]
    dry_run: bool,
    /// Do not ask first; needed where there is no terminal to ask at
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    target: Target,
}

impl VoidRounds {
    pub(super) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        if self.dry_run {
            let answer = self.send(&client, true)?;
            return answer.print(self.target.format, text);
        }
        if is_to_be_asked(self.yes)? {
            let would: VoidRoundsAnswer = self.send(&client, true)?.read()?;
            if would.rounds > 0 {
                confirm(&format!("{}Go on?", text(&would)?))?;
            }
        }
        let change_id = new_change_id()?;
        let mut body = self.body(false);
        body["change_id"] = json!(change_id);
        let answer = client.change(&Method::POST, &path(), &body)?;
        if !answer.is_under_way() {
            return answer.print(self.target.format, text);
        }
        let under_way: PoolUnderWayAnswer = answer.read()?;
        wait_for_pool(&client, Some(&under_way.pool))?;
        // Where it was called off, there are rounds to be voided still.
        let left: VoidRoundsAnswer = self.send(&client, true)?.read()?;
        anyhow::ensure!(
            left.rounds == 0,
            "{} of {} still count, because the change was called off or the service was stopped, or by a failure \
             that its log names, or because they came meanwhile; send it again",
            plural(left.rounds, "round"),
            self.server
        );
        answer.print(self.target.format, done_text)
    }

    fn send(&self, client: &Client, dry_run: bool) -> anyhow::Result<Answer> {
        client.change(&Method::POST, &path(), &self.body(dry_run))
    }

    fn body(&self, dry_run: bool) -> Value {
        json!({
            "server": self.server, "pool": self.pool, "since": self.since, "until": self.until,
            "reason": self.reason, "dry_run": dry_run,
        })
    }
}

fn path() -> Path {
    Path::of(&["v1", "admin", "rounds", "void"])
}

fn done_text(answer: &PoolUnderWayAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let pool = &answer.pool;
    writeln!(
        text,
        "The rounds do not count any more, and every rating of the pool {pool} follows"
    )?;
    Ok(text)
}

fn text(answer: &VoidRoundsAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let rounds = plural(answer.rounds, "round");
    let (server, pool) = (&answer.server, &answer.pool);
    if !answer.dry_run {
        writeln!(
            text,
            "{rounds} of {server} in the pool {pool} voided; every rating follows"
        )?;
        return Ok(text);
    }
    writeln!(
        text,
        "{rounds} of {server} in the pool {pool} would count no longer"
    )?;
    match &answer.moved {
        None => writeln!(
            text,
            "Whose ratings that moves takes too long to compute for an answer"
        )?,
        Some(moved) => {
            let players = plural(moved.players, "player");
            writeln!(text, "It moves the ratings of {players}")?;
            if !moved.largest.is_empty() {
                let table = Table::new(&moved.largest)
                    .left("player", |moved| moved.id)
                    .right("rating", |moved| moved.before)
                    .right("would be", |moved| moved.after)
                    .right("change", |moved| {
                        format!("{:+}", moved.after.points() - moved.before.points())
                    });
                writeln!(text)?;
                text.table(table);
            }
        }
    }
    Ok(text)
}
