use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::{Address, Client};
use crate::cli::environment;
use crate::cli::serve::local_address;
use crate::cli::terminal::output::Format;
use crate::config::{Flags, SecretToSend, Settings};

/// The service that a command speaks to, and how it prints the answer.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The service's address [env: RBS_URL]
    ///
    /// https://… or http://…, that of the configuration on this machine where none is given.
    #[arg(long, value_name = "URL", help_heading = "Service")]
    url: Option<Address>,
    /// A file with the admin secret [env: RBS_ADMIN_SECRET_FILE]
    ///
    /// Where --url is given and is not what RBS_URL says, it has to be given too. Else RBS_ADMIN_SECRET or
    /// RBS_SECRET holds it, or the file that RBS_ADMIN_SECRET_FILE or RBS_SECRET_FILE names; where neither --url nor
    /// RBS_URL is given, also the secret that the configuration names, else rbs.secret next to the database.
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    secret_file: Option<PathBuf>,
    /// A PEM file with the authorities to believe [env: RBS_CA_FILE]
    ///
    /// The certificate of an https:// address may come from these, in place of the public ones.
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    ca_file: Option<PathBuf>,
    /// JSON is the service's own.
    #[command(flatten)]
    pub(crate) format: Format,
}

/// Who names the service that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// `--url`, whose secret is unknown.
    Flag,
    /// The environment.
    Environment,
    /// The configuration on this machine.
    Configuration,
}

impl Target {
    /// The client of this service.
    pub(crate) fn client(&self, flags: &Flags) -> anyhow::Result<Client> {
        let (by, address) = named(self.url.as_ref(), flags)?;
        let secret = match &self.secret_file {
            Some(path) => SecretToSend::of_file(path).context("--secret-file is of no use")?,
            None => found(by, &address, flags)?,
        };
        let is_here = by == NamedBy::Configuration || address.is_loopback();
        Ok(Client::new(
            address,
            secret,
            is_here,
            trusted(self.ca_file.as_deref())?,
        ))
    }
}

/// The service that `--url`, else RBS_URL, else the settings on this machine name. Whoever gives `--bind` means those.
pub(crate) fn named(url: Option<&Address>, flags: &Flags) -> anyhow::Result<(NamedBy, Address)> {
    let by_environment = environment::variable("RBS_URL")
        .map(|url| url.parse::<Address>().context("RBS_URL is of no use"))
        .transpose();
    if let Some(url) = url {
        let is_same = matches!(&by_environment, Ok(Some(same)) if same == url);
        let by = if is_same {
            NamedBy::Environment
        } else {
            NamedBy::Flag
        };
        return Ok((by, url.clone()));
    }
    if flags.bind.is_none()
        && let Some(address) = by_environment?
    {
        return Ok((NamedBy::Environment, address));
    }
    let settings = Settings::load(flags, environment::variable)?;
    // One that was meant to name another service must not lead to this one.
    environment::check_unknown(&settings)?;
    let address = Address::local(&local_address(&settings.bind));
    Ok((NamedBy::Configuration, address))
}

/// The secret that is meant for this service, where none was named. Whoever names a service by hand may
/// have been given its address by somebody else, so the secrets that are kept for another stay here.
fn found(by: NamedBy, address: &Address, flags: &Flags) -> anyhow::Result<SecretToSend> {
    let (found, or) = match by {
        NamedBy::Flag => anyhow::bail!(
            "no secret is shown to {address}, because those in the environment and the configuration \
             are for the service that is named there; name a file that holds its secret with \
             --secret-file, or set RBS_URL to it in place of --url"
        ),
        NamedBy::Environment => (SecretToSend::of_environment(environment::variable)?, ""),
        NamedBy::Configuration => (
            SecretToSend::of_configuration(flags, environment::variable)?,
            ", or run this where the service was started, which has made rbs.secret there",
        ),
    };
    found.with_context(|| {
        format!(
            "there is no secret to show to {address}; name a file that holds it with --secret-file, \
             or set RBS_ADMIN_SECRET{or}"
        )
    })
}

/// Whose certificates are believed, where `--ca-file` or the environment names them.
pub(crate) fn trusted(ca_file: Option<&Path>) -> anyhow::Result<Option<TlsConfig>> {
    let (name, path) = match ca_file {
        Some(path) => ("--ca-file", Some(path.to_owned())),
        None => (
            "RBS_CA_FILE",
            environment::variable("RBS_CA_FILE").map(PathBuf::from),
        ),
    };
    path.as_deref()
        .map(authorities)
        .transpose()
        .with_context(|| format!("{name} is of no use"))
}

/// Whose certificates are believed: those that come from an authority in the PEM file at `path`, in
/// place of the public ones.
fn authorities(path: &Path) -> anyhow::Result<TlsConfig> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&text) {
        let item = item.with_context(|| format!("{shown} is no PEM file"))?;
        if let PemItem::Certificate(certificate) = item {
            certificates.push(certificate);
        }
    }
    anyhow::ensure!(
        !certificates.is_empty(),
        "{shown} holds no certificate; in a PEM file each begins with -----BEGIN CERTIFICATE-----"
    );
    let roots = RootCerts::new_with_certs(&certificates);
    Ok(TlsConfig::builder().root_certs(roots).build())
}
