use std::fmt;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use clap::Args;
use serde_json::{Value, json};
use ureq::http::Method;

use super::rounds::{round_path, round_text};
use super::wait::{wait_for_pool, wait_until_done};
use super::{Answer, Client, Path, Target, new_change_id};
use crate::api::{PoolInProgressAnswer, VoidRoundsAnswer, WholeRoundAnswer};
use crate::cli::arguments;
use crate::cli::comparison::moved_ratings;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::{confirm, is_to_be_asked};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{Fingerprint, PoolName, RoundAction, RoundId, ServerName, Timestamp, Winner};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every rating becomes what it would be if the round had never been played. If that takes long, the
command shows its progress and waits until it is done; the service continues even if you stop the command.

Example:
  rbs void arena-1 arena-1:1763640000:17 --reason 'a cheater on team a'")]
pub(crate) struct Void {
    #[command(flatten)]
    which: Which,
    /// Reason for voiding the round, for the audit log: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Makes the voided round count again, exactly as if it had never been voided.

Example:
  rbs unvoid arena-1 arena-1:1763640000:17")]
pub(crate) struct Unvoid {
    #[command(flatten)]
    which: Which,
    /// Reason for restoring the voided round, for the audit log: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Every rating becomes what it would be if the round had been reported with this winner. The report stays in the log,
and the round is still recognised if it is sent again; to undo the correction, correct the round to the reported
winner.

Example:
  rbs correct arena-1 arena-1:1763640000:17 b --reason 'the plugin mixed up the teams'")]
pub(crate) struct Correct {
    #[command(flatten)]
    which: Which,
    /// Correct result of the round: a, b or draw
    winner: Winner,
    /// Reason for correcting the round, for the audit log: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
struct Which {
    /// Name of the game server that reported the round
    server: ServerName,
    /// Id of the round to change
    round: RoundId,
    /// Do not ask for confirmation; required without a terminal
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    target: Target,
}

impl Void {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        self.which.run(flags, RoundAction::Void, Some(&self.reason))
    }
}

impl Unvoid {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let reason = self.reason.as_deref();
        self.which.run(flags, RoundAction::Unvoid, reason)
    }
}

impl Correct {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let winner = self.winner;
        let action = RoundAction::Correct { winner };
        self.which.run(flags, action, Some(&self.reason))
    }
}

impl Which {
    fn run(&self, flags: &Flags, action: RoundAction, reason: Option<&str>) -> anyhow::Result<()> {
        let client = self.target.client(flags)?;
        if is_to_be_asked(self.yes)? {
            let round: WholeRoundAnswer = self.look(&client)?.read()?;
            let becomes = match action {
                RoundAction::Void => {
                    let rated = plural(round.players.len() as u64, "player");
                    format!("It changed the ratings of {rated}, and will no longer count")
                }
                RoundAction::Unvoid => "It will count again".to_owned(),
                RoundAction::Correct { winner } => {
                    format!("Its winner is {}, and will be {winner}", round.round.winner)
                }
            };
            let mut text = Output::default();
            round_text(&round, &mut text)?;
            confirm(&format!(
                "{text}\n{becomes}; the ratings of the whole pool are recomputed. Go on?"
            ))?;
        }
        let path = round_path(&self.server, &self.round, &[action.name().into()]);
        let mut change = json!({"reason": reason, "change_id": new_change_id()?});
        if let RoundAction::Correct { winner } = action {
            change["winner"] = json!(winner);
        }
        let mut answer = client.change(&Method::POST, &path, &change)?;
        if answer.is_in_progress() {
            answer = self.wait(&client, action)?;
        }
        answer.print(self.target.format, round_text)
    }

    fn look(&self, client: &Client) -> anyhow::Result<Answer> {
        client.get(&round_path(&self.server, &self.round, &[]))
    }

    fn wait(&self, client: &Client, action: RoundAction) -> anyhow::Result<Answer> {
        let answer = wait_until_done(|| {
            let answer = self.look(client)?;
            let round: WholeRoundAnswer = answer.read()?;
            Ok(match round.in_progress {
                Some(_) => ControlFlow::Continue(round.progress),
                None => ControlFlow::Break(answer),
            })
        })?;
        let round: WholeRoundAnswer = answer.read()?;
        let is_done = match action {
            RoundAction::Void => round.round.void.is_some(),
            RoundAction::Unvoid => round.round.void.is_none(),
            RoundAction::Correct { winner } => round.round.winner == winner,
        };
        anyhow::ensure!(
            is_done,
            "the {} of {} did not take effect: it was cancelled, the service was stopped, \
             or an error occurred (see the service's log); try again",
            action.name(),
            self.round
        );
        Ok(answer)
    }
}

#[derive(Debug, Args)]
#[command(
    override_usage = "rbs rounds void [OPTIONS] --since <TIME> --reason <TEXT>",
    after_help = "\
The ratings of each pool are recomputed once for all of its rounds, which stop counting at the same moment.
`rbs unvoid` restores each round. Repeating the command leaves rounds alone that are already void.

With --secret, and neither --server nor --pool nor --copies, the names of players that the secret set are removed too;
they return with the next request of a game server.

Examples:
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --reason 'teams were swapped' --dry-run
  rbs rounds void --server arena-2 --since 2026-11-20T20:00:00Z --until 2026-11-20T22:00:00Z --reason 'a test'
  rbs rounds void --server arena-2 --since 30d --copies --reason 'sent twice' --dry-run
  rbs rounds void --secret 0123abcd --received-since 2026-11-20T20:00:00Z --reason 'a stolen secret' --dry-run"
)]
pub(super) struct VoidRounds {
    /// Void only rounds that this game server reported
    #[arg(long, value_name = "NAME", required_unless_present_any = ["secret", "pool"])]
    server: Option<ServerName>,
    /// Void only rounds sent with the secret that has this fingerprint, shown by `rbs rounds show` and `rbs servers`
    #[arg(long, value_name = "FINGERPRINT")]
    secret: Option<Fingerprint>,
    /// Void only rounds that count in this pool [default: every pool]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Void only rounds that ended at or after this time, such as 2026-11-20T20:00:00Z, 2h (two hours ago) or
    /// yesterday
    #[arg(
        long, value_name = "TIME", value_parser = arguments::moment,
        required_unless_present = "received_since"
    )]
    since: Option<Timestamp>,
    /// Void only rounds that ended before this time
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    until: Option<Timestamp>,
    /// Void only rounds that arrived at or after this time, no matter when they ended according to the
    /// game server
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_since: Option<Timestamp>,
    /// Void only rounds that arrived before this time
    #[arg(long, value_name = "TIME", value_parser = arguments::moment)]
    received_until: Option<Timestamp>,
    /// Void only copies: rounds that repeat another round of the server under a different id
    #[arg(long)]
    copies: bool,
    /// Reason for voiding the rounds, for the audit log: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Change nothing; print the number of rounds to void, and the ratings that would move
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation; required without a terminal
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
            return answer.print(self.target.format, voided_text);
        }
        if is_to_be_asked(self.yes)? {
            let would: VoidRoundsAnswer = self.send(&client, true)?.read()?;
            if would.rounds > 0 || would.names > 0 {
                let mut question = Output::default();
                voided_text(&would, &mut question)?;
                confirm(&format!("{question}Go on?"))?;
            }
        }
        let change_id = new_change_id()?;
        let mut body = self.body(false);
        body["change_id"] = json!(change_id);
        let answer = client.change(&Method::POST, &void_path(), &body)?;
        if !answer.is_in_progress() {
            return answer.print(self.target.format, voided_text);
        }
        let in_progress: PoolInProgressAnswer = answer.read()?;
        for pool in std::iter::once(&in_progress.pool).chain(&in_progress.others) {
            wait_for_pool(&client, Some(pool))?;
        }
        // If the rebuild was cancelled, some rounds are not voided.
        let left: VoidRoundsAnswer = self.send(&client, true)?.read()?;
        anyhow::ensure!(
            left.rounds == 0,
            "{} still count: the change was cancelled, the service was stopped, an error occurred (see \
             the service's log), or the rounds arrived in the meantime; try again",
            plural(left.rounds, "round")
        );
        answer.print(self.target.format, done_text)
    }

    fn send(&self, client: &Client, dry_run: bool) -> anyhow::Result<Answer> {
        client.change(&Method::POST, &void_path(), &self.body(dry_run))
    }

    fn body(&self, dry_run: bool) -> Value {
        json!({
            "server": self.server, "secret": self.secret, "pool": self.pool,
            "since": self.since, "until": self.until,
            "received_since": self.received_since, "received_until": self.received_until,
            "copies": self.copies, "reason": self.reason, "dry_run": dry_run,
        })
    }
}

fn void_path() -> Path {
    Path::at("/v1/admin/rounds/void")
}

fn done_text(answer: &PoolInProgressAnswer, text: &mut Output) -> fmt::Result {
    let pools = std::iter::once(&answer.pool)
        .chain(&answer.others)
        .map(PoolName::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    writeln!(
        text,
        "The rounds no longer count, and the ratings were recomputed in: {pools}"
    )
}

fn voided_text(answer: &VoidRoundsAnswer, text: &mut Output) -> fmt::Result {
    let rounds = plural(answer.rounds, "round");
    let is_dry = answer.dry_run;
    let does = if is_dry {
        "would no longer count"
    } else {
        "voided; the ratings were recomputed"
    };
    writeln!(text, "{rounds} {does}")?;
    if answer.names > 0 {
        let names = plural(answer.names, "player name");
        let removed = if is_dry {
            "would be removed"
        } else {
            "removed"
        };
        writeln!(text, "{names} {removed}")?;
    }
    for of in &answer.pools {
        let rounds = plural(of.rounds, "round");
        write!(text, "{}: {rounds}", of.pool)?;
        match &of.moved {
            None if is_dry => writeln!(
                text,
                "; the changes of ratings take too long to compute for a dry run"
            )?,
            None => writeln!(text)?,
            Some(moved) => {
                let players = plural(moved.players, "player");
                let points = plural(moved.points, "point");
                writeln!(
                    text,
                    "; the ratings of {players} move, by {points} in total"
                )?;
                if !moved.largest.is_empty() {
                    text.next_table(moved_ratings(moved));
                    writeln!(text)?;
                }
            }
        }
    }
    Ok(())
}
