use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::terminal::json::print;
use crate::config::Secrets;
use crate::domain::SecretName;
use crate::random;

/// `rbs secret`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  rbs secret new
  rbs secret new --name alice | sudo tee --append /etc/rbs/rbs.secret >/dev/null")]
pub(super) struct Secret {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print a new secret, 256 random bits, and how to put it into use
    ///
    /// The secret alone goes to standard output. Nothing is kept of it.
    New {
        /// What to call it, so that people know whose it is: 1 to 32 letters, digits, '.', '_', '-'
        #[arg(long, value_name = "NAME")]
        name: Option<SecretName>,
    },
}

const ADVICE: &str = "\
Put this line into the file with the secrets (secret_file, admin_secret_file, read_secret_file or that of
[[game_servers]]), beside those that are there, and have the service read it: rbs reload, or systemctl reload rbs.
Then give it to whom it is for, without the name. `rbs settings` shows by its fingerprint when it is used; take the
old one out once that is not any more.";

impl Secret {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let Action::New { name } = self.action;
        let secret = random::hex::<32>().context("the operating system gives no random numbers")?;
        let line = match &name {
            Some(name) => format!("{name} {secret}\n"),
            None => format!("{secret}\n"),
        };
        print(line.as_bytes()).context("cannot write the secret")?;
        eprintln!(
            "\nIts fingerprint: {}\n{ADVICE}",
            Secrets::fingerprint(&secret)
        );
        Ok(())
    }
}
