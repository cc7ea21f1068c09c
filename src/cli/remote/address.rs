use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ureq::http::Uri;

use crate::api::{path_part, percent_encoded};

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
