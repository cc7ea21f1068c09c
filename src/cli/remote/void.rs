use std::io;
use std::io::Write as _;
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use ureq::http::Method;

use super::rounds::{round_path, round_text};
use super::{Answer, Client, Target, new_change_id};
use crate::api::WholeRoundAnswer;
use crate::cli::terminal::confirm::{confirm, is_to_be_asked};
use crate::cli::terminal::figures::progress_text;
use crate::cli::terminal::progress::{Meter, is_hidden};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{RoundId, ServerName, VoidAction};

/// How often a void under way is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// `rbs void`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every rating becomes what it would be if the round had never been played. Where that takes long, the
command says how far it is and waits until it is done; the service goes on by itself if you stop the command.

Example:
  rbs void arena-1 arena-1:1763640000:17 --reason 'a cheater on team a'")]
pub(crate) struct Void {
    #[command(flatten)]
    which: Which,
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    target: Target,
}

/// `rbs unvoid`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Brings back exactly what was before the round was voided.

Example:
  rbs unvoid arena-1 arena-1:1763640000:17")]
pub(crate) struct Unvoid {
    #[command(flatten)]
    which: Which,
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Which {
    /// The server of the round
    server: ServerName,
    /// The round's id
    round: RoundId,
    /// Do not ask first; needed where there is no terminal to ask at
    #[arg(long, short)]
    yes: bool,
}

impl Void {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let reason = Some(self.reason.as_str());
        self.which
            .run(VoidAction::Void, reason, &self.target, flags)
    }
}

impl Unvoid {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let reason = self.reason.as_deref();
        self.which
            .run(VoidAction::Unvoid, reason, &self.target, flags)
    }
}

impl Which {
    /// Does `action`, waits for it, and shows the round.
    fn run(
        &self,
        action: VoidAction,
        reason: Option<&str>,
        target: &Target,
        flags: &Flags,
    ) -> anyhow::Result<()> {
        let client = target.client(flags)?;
        if is_to_be_asked(self.yes)? {
            let round: WholeRoundAnswer = self.look(&client)?.read()?;
            let becomes = match action {
                VoidAction::Void => {
                    let rated = plural(round.players.len() as u64, "player");
                    format!("It rated {rated}, and will count no longer")
                }
                VoidAction::Unvoid => "It will count again".to_owned(),
            };
            confirm(&format!(
                "{}\n{becomes}; the ratings of the whole pool are computed again. Go on?",
                round_text(&round)?
            ))?;
        }
        let path = round_path(&self.server, &self.round, &[action.name()]);
        let change = json!({"reason": reason, "change_id": new_change_id()?});
        let mut answer = client.change(&Method::POST, &path, &change)?;
        if answer.is_under_way() {
            answer = self.wait(&client, action)?;
        }
        answer.print(target.format, round_text)
    }

    fn look(&self, client: &Client) -> anyhow::Result<Answer> {
        client.get(&round_path(&self.server, &self.round, &[]))
    }

    /// Waits until `action` is not under way any more; the round as it is then.
    fn wait(&self, client: &Client, action: VoidAction) -> anyhow::Result<Answer> {
        if !is_hidden() {
            // Who does not read it waits all the same.
            let _unread = writeln!(
                io::stderr(),
                "The ratings are being computed again; the service goes on by itself if you stop this."
            );
        }
        let mut meter = Meter::start(None)?;
        loop {
            thread::sleep(LOOK_EVERY);
            let answer = self.look(client)?;
            let round: WholeRoundAnswer = answer.read()?;
            if round.under_way.is_some() {
                if let Some(progress) = &round.progress {
                    let text = progress_text(progress);
                    if meter.tick(text.clone()).is_some() {
                        let _unread = writeln!(io::stderr(), "{text}");
                    }
                }
                continue;
            }
            meter.finish();
            anyhow::ensure!(
                round.round.void.is_some() == action.is_void(),
                "the {} of {} was undone, because it was called off or the service was stopped, or \
                 by a failure that its log names; send it again",
                action.name(),
                self.round
            );
            return Ok(answer);
        }
    }
}
