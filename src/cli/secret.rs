use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::terminal::output::print;
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
        /// Name of the secret, to recognise its owner: 1 to 32 letters, digits, '.', '_', '-'
        #[arg(long, value_name = "NAME")]
        name: Option<SecretName>,
    },
}

const ADVICE: &str = "\
Add this line to the file with the secrets (secret_file, admin_secret_file, read_secret_file, or the secret_file
of a [[game_servers]] entry), and make the service read it again: rbs reload, or systemctl reload rbs.
Then give the secret, without the name in front of it, to whoever will use it. `rbs settings` lists secrets by
fingerprint and shows when each was last used; remove the old secret once it is no longer used.";

impl Secret {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let Action::New { name } = self.action;
        let secret = random::hex::<32>()?;
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
