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
use crate::domain::{Fingerprint, PoolName, ServerName, Timestamp};

/// `rbs rounds void`.
#[derive(Debug, Args)]
#[command(
    override_usage = "rbs rounds void [OPTIONS] --since <TIME> --reason <TEXT>",
    after_help = "\
The ratings of each pool are computed again once for all of its rounds, which count no longer at the same moment.
Each can be restored by `rbs unvoid`. Sent again, rounds that are void already are left as they are.

With --secret, and neither --server nor --pool, the names of players that the secret set are taken back too; they come
again with the next request of a game server.

Examples:
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --reason 'teams were swapped' --dry-run
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --until 2026-11-20T22:00:00Z --reason 'a test'
  rbs rounds void --secret 0123abcd --received-since 2026-11-20T20:00:00Z --reason 'a stolen secret' --dry-run"
)]
pub(super) struct VoidRounds {
    /// Rounds of this server
    #[arg(long, value_name = "NAME", required_unless_present_any = ["secret", "pool"])]
    server: Option<ServerName>,
    /// Rounds that came with the secret of this fingerprint, which `rbs rounds show` and `rbs servers` have
    #[arg(long, value_name = "FINGERPRINT")]
    secret: Option<Fingerprint>,
    /// Rounds of this pool [default: every pool]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Rounds that ended then or later, such as 2026-11-20T20:00:00Z, or unix seconds
    #[arg(
        long, value_name = "TIME", value_parser = arguments::moment,
        required_unless_present = "received_since"
    )]
    since: Option<Timestamp>,
    /// Rounds that ended before
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    until: Option<Timestamp>,
    /// Rounds that arrived then or later, whenever they ended according to the game server
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_since: Option<Timestamp>,
    /// Rounds that arrived before
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_until: Option<Timestamp>,
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
            if would.rounds > 0 || would.names > 0 {
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
        for pool in std::iter::once(&under_way.pool).chain(&under_way.others) {
            wait_for_pool(&client, Some(pool))?;
        }
        // Where it was called off, there are rounds to be voided still.
        let left: VoidRoundsAnswer = self.send(&client, true)?.read()?;
        anyhow::ensure!(
            left.rounds == 0,
            "{} still count, because the change was called off or the service was stopped, or by a failure that its \
             log names, or because they came meanwhile; send it again",
            plural(left.rounds, "round")
        );
        answer.print(self.target.format, done_text)
    }

    fn send(&self, client: &Client, dry_run: bool) -> anyhow::Result<Answer> {
        client.change(&Method::POST, &path(), &self.body(dry_run))
    }

    fn body(&self, dry_run: bool) -> Value {
        json!({
            "server": self.server, "secret": self.secret, "pool": self.pool,
            "since": self.since, "until": self.until,
            "received_since": self.received_since, "received_until": self.received_until,
            "reason": self.reason, "dry_run": dry_run,
        })
    }
}

fn path() -> Path {
    Path::of(&["v1", "admin", "rounds", "void"])
}

fn done_text(answer: &PoolUnderWayAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let pools: Vec<&str> = std::iter::once(&answer.pool)
        .chain(&answer.others)
        .map(PoolName::as_str)
        .collect();
    let pools = pools.join(", ");
    writeln!(
        text,
        "The rounds do not count any more, and every rating follows in: {pools}"
    )?;
    Ok(text)
}

fn text(answer: &VoidRoundsAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let rounds = plural(answer.rounds, "round");
    let is_dry = answer.dry_run;
    let does = if is_dry {
        "would count no longer"
    } else {
        "voided; every rating follows"
    };
    writeln!(text, "{rounds} {does}")?;
    if answer.names > 0 {
        let names = plural(answer.names, "name");
        let taken = if is_dry { "would be taken" } else { "taken" };
        writeln!(text, "{names} of players {taken} back")?;
    }
    for of in &answer.pools {
        let rounds = plural(of.rounds, "round");
        write!(text, "{}: {rounds}", of.pool)?;
        match &of.moved {
            None if is_dry => writeln!(
                text,
                "; whose ratings that moves takes too long to compute for an answer"
            )?,
            None => writeln!(text)?,
            Some(moved) => {
                let players = plural(moved.players, "player");
                let points = plural(moved.points, "point");
                writeln!(
                    text,
                    "; the ratings of {players} move, by {points} together"
                )?;
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
                    writeln!(text)?;
                }
            }
        }
    }
    Ok(text)
}
