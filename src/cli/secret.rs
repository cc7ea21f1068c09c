use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::terminal::json::print;
use crate::config::Secrets;
use crate::domain::SecretName;
use crate::random;

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
    /// Print a new secret of 256 random bits, and how to use it
    ///
    /// Standard output gets only the secret. The secret is not stored.
    New {
        /// Name of the secret, to tell its owner: 1 to 32 letters, digits, '.', '_', '-'
        #[arg(long, value_name = "NAME")]
        name: Option<SecretName>,
    },
}

const ADVICE: &str = "\
Add this line to the file with the secrets (secret_file, admin_secret_file, read_secret_file or that of
[[game_servers]]), and let the service read it again: rbs reload, or systemctl reload rbs.
Then give the secret, without its name, to its user. `rbs settings` shows by the fingerprint when a secret was used;
remove the old one once it is unused.";

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
