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
    /// A file with the admin secret [default: RBS_ADMIN_SECRET, RBS_SECRET or a file named by
    /// RBS_ADMIN_SECRET_FILE or RBS_SECRET_FILE; without a URL also what the configuration names,
    /// or rbs.secret beside the database]
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    secret_file: Option<PathBuf>,
    /// Print the service's own JSON in place of text
    #[arg(long, help_heading = "Service")]
    pub(in crate::cli) json: bool,
}

impl Target {
    /// The client of this service.
    ///
    /// # Errors
    /// Settings that make no sense, or no secret.
    pub(in crate::cli) fn client(&self, flags: &Flags) -> anyhow::Result<Client> {
        let named = match &self.url {
            Some(url) => Some(url.clone()),
            None => environment::variable("RBS_URL")
                .map(|url| url.parse().context("RBS_URL is of no use"))
                .transpose()?,
        };
        let own = self.secret_file.as_deref().map(SecretToSend::of_file);
        let own = own.transpose().context("--secret-file is of no use")?;
        let is_local = named.is_none();
        let (address, found) = if let Some(address) = named {
            // The secret of this machine's service goes to no other one.
            let found = match own {
                None => SecretToSend::of_environment(environment::variable)?,
                own => own,
            };
            (address, found)
        } else {
            let settings = Settings::load(flags, environment::variable)?;
            let found = match own {
                None => SecretToSend::of_configuration(flags, environment::variable)?,
                own => own,
            };
            (Address::local(&local_address(&settings.bind)), found)
        };
        let secret = found.with_context(|| {
            let beside = if is_local {
                ", or run this where the service was started, which has made rbs.secret there"
            } else {
                ""
            };
            format!(
                "there is no secret to show to {address}; name a file that holds it with \
                 --secret-file, or set RBS_ADMIN_SECRET{beside}"
            )
        })?;
        let is_here = is_local || address.is_loopback();
        Ok(Client::new(address, secret, is_here))
    }
}
