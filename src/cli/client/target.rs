use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::{Address, Client};
use crate::cli::environment;
use crate::cli::serve::local_address;
use crate::config::{Flags, SecretToSend, Settings};

/// The service that a command speaks to, and how it prints the answer.
#[derive(Debug, Args)]
pub(in crate::cli) struct Target {
    /// The service's address, https://… or http://… [default: that of the configuration on this
    /// machine; env: RBS_URL]
    #[arg(long, value_name = "URL", help_heading = "Service")]
    url: Option<Address>,
    /// A file with the admin secret; what --url names is shown no other one, unless RBS_URL names the
    /// same [default: RBS_ADMIN_SECRET, RBS_SECRET or a file named by
    /// RBS_ADMIN_SECRET_FILE or RBS_SECRET_FILE, for the service that RBS_URL or the configuration
    /// names; for the latter also what the configuration names, or rbs.secret beside the database]
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    secret_file: Option<PathBuf>,
    /// Print the service's own JSON in place of text
    #[arg(long, help_heading = "Service")]
    pub(in crate::cli) json: bool,
}

/// The service that is meant, by who names it.
enum Named {
    /// `--url`, with nothing said of its secret.
    ByHand(Address),
    /// The environment.
    ByEnvironment(Address),
    /// The configuration on this machine.
    ByConfiguration(Address),
}

impl Target {
    /// The client of this service.
    ///
    /// # Errors
    /// Settings that make no sense, or no secret.
    pub(in crate::cli) fn client(&self, flags: &Flags) -> anyhow::Result<Client> {
        let named = self.named(flags)?;
        let is_local = matches!(named, Named::ByConfiguration(_));
        let (Named::ByHand(address)
        | Named::ByEnvironment(address)
        | Named::ByConfiguration(address)) = &named;
        let secret = match &self.secret_file {
            Some(path) => SecretToSend::of_file(path).context("--secret-file is of no use")?,
            None => found(&named, flags)?,
        };
        let is_here = is_local || address.is_loopback();
        Ok(Client::new(address.clone(), secret, is_here))
    }

    fn named(&self, flags: &Flags) -> anyhow::Result<Named> {
        let by_environment = environment::variable("RBS_URL")
            .map(|url| url.parse::<Address>().context("RBS_URL is of no use"))
            .transpose();
        Ok(match (&self.url, by_environment) {
            (Some(url), Ok(Some(same))) if *url == same => Named::ByEnvironment(same),
            (Some(url), _) => Named::ByHand(url.clone()),
            (None, by_environment) => match by_environment? {
                Some(address) => Named::ByEnvironment(address),
                None => {
                    let settings = Settings::load(flags, environment::variable)?;
                    let address = Address::local(&local_address(&settings.bind));
                    Named::ByConfiguration(address)
                }
            },
        })
    }
}

/// The secret that is meant for this service, where none was named. Whoever names a service by hand may
/// have been given its address by somebody else, so the secrets that are kept for another stay here.
fn found(named: &Named, flags: &Flags) -> anyhow::Result<SecretToSend> {
    match named {
        Named::ByHand(address) => anyhow::bail!(
            "no secret is shown to {address}, because those in the environment and the configuration \
             are for the service that is named there; name a file that holds its secret with \
             --secret-file, or set RBS_URL to it in place of --url"
        ),
        Named::ByEnvironment(address) => {
            let found = SecretToSend::of_environment(environment::variable)?;
            found.with_context(|| {
                format!(
                    "there is no secret to show to {address}; name a file that holds it with \
                     --secret-file, or set RBS_ADMIN_SECRET"
                )
            })
        }
        Named::ByConfiguration(address) => {
            let found = SecretToSend::of_configuration(flags, environment::variable)?;
            found.with_context(|| {
                format!(
                    "there is no secret to show to {address}; name a file that holds it with \
                     --secret-file, or set RBS_ADMIN_SECRET, or run this where the service was \
                     started, which has made rbs.secret there"
                )
            })
        }
    }
}
