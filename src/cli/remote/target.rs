use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::{fmt, fs, path};

use anyhow::Context as _;
use clap::Args;
use serde::de::DeserializeOwned;
use ureq::http::Uri;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::Client;
use crate::api::{path_part, percent_encoded};
use crate::cli::environment;
use crate::cli::serve::local_address;
use crate::cli::terminal::output::{Format, Output};
use crate::config::{Flags, SecretToSend, Settings};

/// Address of an RBS service: `http://` or `https://`, a host, and the path prefix of a proxy, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(String);

/// Error: the text is not an address of a service. The message does not repeat the text, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not the address of a service; give one such as https://rbs.example.org or \
     http://127.0.0.1:8080, without a user name, password, '?' or '#'"
)]
pub(crate) struct InvalidAddress;

impl Address {
    pub(crate) fn local(place: &str) -> Self {
        Self(format!("http://{place}"))
    }

    /// Returns `true` if the address is a loopback address, which is never reached through a proxy.
    pub(crate) fn is_loopback(&self) -> bool {
        let uri: Option<Uri> = self.0.parse().ok();
        let host = uri
            .as_ref()
            .and_then(Uri::host)
            .unwrap_or_default()
            .trim_start_matches('[')
            .trim_end_matches(']');
        let is_loopback = |address: IpAddr| address.is_loopback();
        host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_loopback)
    }

    pub(crate) fn join(&self, path: &Path) -> String {
        format!("{}{}", self.0, path.0)
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))
            .ok_or(InvalidAddress)?;
        let host = rest.split('/').next().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#@\"<>\\^`{|}".contains(&byte);
        if host.is_empty() || host.starts_with(':') || !rest.bytes().all(is_plain) {
            return Err(InvalidAddress);
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    pub(crate) fn at(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// Creates the path of a request from parts, which may contain any characters.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut path = String::new();
        for part in parts {
            path.push('/');
            path += &path_part(part);
        }
        Self(path)
    }

    pub(crate) fn with(mut self, name: &str, value: Option<&impl ToString>) -> Self {
        if let Some(value) = value {
            self.0.push(if self.0.contains('?') { '&' } else { '?' });
            self.0 += name;
            self.0.push('=');
            self.0 += &percent_encoded(&value.to_string());
        }
        self
    }
}

/// Options for the service that a command talks to, and for the format of the output.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// Address of the service [env: RBS_URL]
    ///
    /// The address starts with https:// or http://. Without an address, the command uses the service that is configured
    /// on this machine.
    #[arg(long, value_name = "URL", help_heading = "Service")]
    url: Option<Address>,
    /// File with the admin secret [env: RBS_ADMIN_SECRET_FILE]
    ///
    /// A file with the secret is required with --url, unless RBS_URL is the same address. Without this option, the
    /// secret comes from RBS_ADMIN_SECRET or RBS_SECRET, or from the file named in RBS_ADMIN_SECRET_FILE or
    /// RBS_SECRET_FILE. If neither --url nor RBS_URL is given, the secret may also come from the configuration, or from
    /// rbs.secret next to the database.
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    secret_file: Option<PathBuf>,
    /// PEM file with the certificate authorities to trust [env: RBS_CA_FILE]
    ///
    /// For an https:// address, only the certificate authorities in this file are trusted, not the public ones.
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    ca_file: Option<PathBuf>,
    /// Output format. JSON is the service's unchanged answer.
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// Address given by the option `--url`, for which no secret is configured.
    Flag,
    Environment,
    Configuration,
}

impl Target {
    pub(crate) fn client(&self, flags: &Flags) -> anyhow::Result<Client> {
        let (by, address) = named(self.url.as_ref(), flags)?;
        let secret = match &self.secret_file {
            Some(path) => SecretToSend::of_file(path).context("--secret-file cannot be used")?,
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

    /// Requests `path` from the service, and prints the answer: the unchanged JSON, or `text` for people.
    pub(super) fn show<T: DeserializeOwned>(
        &self,
        flags: &Flags,
        path: &Path,
        text: impl Fn(&T, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        self.client(flags)?.get(path)?.print(self.format, text)
    }
}

/// Returns the service's address from `--url`, or else from RBS_URL, or else from the settings on this machine.
/// `--bind` selects the settings.
pub(crate) fn named(url: Option<&Address>, flags: &Flags) -> anyhow::Result<(NamedBy, Address)> {
    let by_environment = environment::variable("RBS_URL")
        .map(|url| url.parse::<Address>().context("RBS_URL cannot be used"))
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
    // A misspelt variable may have been meant to select another service.
    environment::check_unknown(&settings)?;
    let address = Address::local(&local_address(&settings.bind));
    Ok((NamedBy::Configuration, address))
}

/// Returns the secret for the service at `address` from the environment or the configuration. Fails for an address from
/// `--url`: it may be a stranger's, and must not receive another service's secret.
fn found(by: NamedBy, address: &Address, flags: &Flags) -> anyhow::Result<SecretToSend> {
    let (found, or) = match by {
        NamedBy::Flag => anyhow::bail!(
            "no secret was sent to {address}, because the secrets in the environment and the \
             configuration may belong to another service; name the file that holds this service's \
             secret with --secret-file, or set RBS_URL to this address instead of using --url"
        ),
        NamedBy::Environment => (SecretToSend::of_environment(environment::variable)?, ""),
        NamedBy::Configuration => (
            SecretToSend::of_configuration(flags, environment::variable)?,
            ", or run this command in the folder where the service was started, so that it finds rbs.secret",
        ),
    };
    found.with_context(|| {
        format!(
            "there is no secret to send to {address}; name a file that holds it with --secret-file, \
             or set RBS_ADMIN_SECRET{or}"
        )
    })
}

pub(crate) fn trusted(ca_file: Option<&path::Path>) -> anyhow::Result<Option<TlsConfig>> {
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
        .with_context(|| format!("{name} cannot be used"))
}

fn authorities(path: &path::Path) -> anyhow::Result<TlsConfig> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&text) {
        let item = item.with_context(|| format!("{shown} is not a PEM file"))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loopback_address_is_this_machine() {
        for (text, is_loopback) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost/rbs", true),
            ("http://[::1]:8080", true),
            ("http://127.0.0.1.example.org", false),
            ("https://rbs.example.org:443", false),
            ("http://192.168.0.1:8080", false),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.is_loopback(), is_loopback, "{text}");
        }
    }

    #[test]
    fn an_address_is_a_scheme_a_host_and_perhaps_a_path() {
        for (text, kept) in [
            ("https://rbs.example.org", "https://rbs.example.org"),
            ("https://rbs.example.org/", "https://rbs.example.org"),
            ("https://example.org/rbs/", "https://example.org/rbs"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), kept);
        }
        for text in [
            "",
            "127.0.0.1:8080",
            "ftp://there",
            "http://",
            "http://:8080",
            "https://me:hunter2@there",
            "http://there?pool=x",
            "http://the re",
        ] {
            assert_eq!(text.parse::<Address>(), Err(InvalidAddress), "{text}");
        }
    }

    #[test]
    fn odd_characters_stay_inside_their_part() {
        let path = Path::of(&["v1", "a/b?c#1:2"])
            .with("pool", Some(&"x&y=ü"))
            .with("limit", None::<&u32>)
            .with("after", Some(&5));
        assert_eq!(path.0, "/v1/a%2Fb%3Fc%231:2?pool=x%26y%3D%C3%BC&after=5");
        let address: Address = "https://there/rbs".parse().unwrap();
        assert_eq!(
            address.join(&Path::of(&["a", "b"])),
            "https://there/rbs/a/b"
        );
    }
}
