use clap::Args;
use serde_json::json;
use ureq::http::Method;

use super::rounds::{round_path, round_text};
use super::wait::{Looked, wait_until_done};
use super::{Answer, Client, Target, new_change_id};
use crate::api::WholeRoundAnswer;
use crate::cli::terminal::confirm::{confirm, is_to_be_asked};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{RoundAction, RoundId, ServerName, Winner};

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

/// `rbs correct`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every rating becomes what it would be if the round had been reported so. What was reported stays in the log, and
the round is taken as the same one where it is sent again; correct it to what was reported to take the correction
back.

Example:
  rbs correct arena-1 arena-1:1763640000:17 b --reason 'the plugin mixed up the teams'")]
pub(crate) struct Correct {
    #[command(flatten)]
    which: Which,
    /// How the round ended: a, b or draw
    winner: Winner,
    /// Why, for the audit: 1 to 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,
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
            .run(RoundAction::Void, reason, &self.target, flags)
    }
}

impl Unvoid {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let reason = self.reason.as_deref();
        self.which
            .run(RoundAction::Unvoid, reason, &self.target, flags)
    }
}

impl Correct {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let winner = self.winner;
        let action = RoundAction::Correct { winner };
        self.which
            .run(action, Some(&self.reason), &self.target, flags)
    }
}

impl Which {
    /// Does `action`, waits for it, and shows the round.
    fn run(
        &self,
        action: RoundAction,
        reason: Option<&str>,
        target: &Target,
        flags: &Flags,
    ) -> anyhow::Result<()> {
        let client = target.client(flags)?;
        if is_to_be_asked(self.yes)? {
            let round: WholeRoundAnswer = self.look(&client)?.read()?;
            let becomes = match action {
                RoundAction::Void => {
                    let rated = plural(round.players.len() as u64, "player");
                    format!("It rated {rated}, and will count no longer")
                }
                RoundAction::Unvoid => "It will count again".to_owned(),
                RoundAction::Correct { winner } => {
                    format!("Its winner is {}, and will be {winner}", round.round.winner)
                }
            };
            confirm(&format!(
                "{}\n{becomes}; the ratings of the whole pool are computed again. Go on?",
                round_text(&round)?
            ))?;
        }
        let path = round_path(&self.server, &self.round, &[action.name().text()]);
        let mut change = json!({"reason": reason, "change_id": new_change_id()?});
        if let RoundAction::Correct { winner } = action {
            change["winner"] = json!(winner);
        }
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
    fn wait(&self, client: &Client, action: RoundAction) -> anyhow::Result<Answer> {
        let answer = wait_until_done(|| {
            let answer = self.look(client)?;
            let round: WholeRoundAnswer = answer.read()?;
            Ok(match round.under_way {
                Some(_) => Looked::UnderWay(round.progress),
                None => Looked::Done(answer),
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
            "the {} of {} was undone, because it was called off or the service was stopped, or \
             by a failure that its log names; send it again",
            action.name().text(),
            self.round
        );
        Ok(answer)
    }
}
