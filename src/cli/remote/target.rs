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

/// Where a service is: `http://` or `https://`, a host, and whatever a proxy puts before its paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(String);

/// A text that is no address of a service. It is not repeated, because it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is no address of a service; give one such as https://rbs.example.org or \
     http://127.0.0.1:8080, without a name and password in it, '?' or '#'"
)]
pub(crate) struct InvalidAddress;

impl Address {
    /// The address of the service on this machine that is reached at `place`, a host and a port.
    pub(crate) fn local(place: &str) -> Self {
        Self(format!("http://{place}"))
    }

    /// Whether it names this machine itself, to which no proxy leads.
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

/// A path of the service, and a query behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    /// The path that is written so.
    pub(crate) fn at(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// The path of these parts, whatever characters are in them.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut path = String::new();
        for part in parts {
            path.push('/');
            path += &path_part(part);
        }
        Self(path)
    }

    /// The same with `name=value` in its query, where there is a value.
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

    /// Prints what stands at `path`: as JSON as it came, else as `text` puts it for people.
    pub(super) fn show<T: DeserializeOwned>(
        &self,
        flags: &Flags,
        path: &Path,
        text: impl Fn(&T, &mut Output) -> fmt::Result,
    ) -> anyhow::Result<()> {
        self.client(flags)?.get(path)?.print(self.format, text)
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
        .with_context(|| format!("{name} is of no use"))
}

/// Whose certificates are believed: those that come from an authority in the PEM file at `path`, in
/// place of the public ones.
fn authorities(path: &path::Path) -> anyhow::Result<TlsConfig> {
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
