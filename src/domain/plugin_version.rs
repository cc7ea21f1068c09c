use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

/// Version of a game server's plugin: three numbers, such as `1.2.0`. A suffix after `-` or `+`, such as a build
/// name, is ignored.
///
/// ```
/// use rbs::domain::PluginVersion;
/// let version: PluginVersion = "1.2.0-rc.1".parse().unwrap();
/// assert!(version < "1.10.0".parse().unwrap());
/// assert_eq!(version.to_string(), "1.2.0");
/// assert!("1.2".parse::<PluginVersion>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginVersion([u32; 3]);

/// Maximum length of the text of a plugin version, in bytes.
const MAX_LENGTH: usize = 64;

/// Error for a text that is not a plugin version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not a version; send three numbers such as \"1.2.0\", in at most 64 visible ASCII characters"
)]
pub struct InvalidPluginVersion;

impl PluginVersion {
    /// Creates a plugin version from its three numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self([major, minor, patch])
    }
}

impl FromStr for PluginVersion {
    type Err = InvalidPluginVersion;

    fn from_str(text: &str) -> Result<Self, InvalidPluginVersion> {
        let is_plain = text.len() <= MAX_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
        let (version, _build) = text.split_once(['-', '+']).unwrap_or((text, ""));
        let numbers: Option<Vec<u32>> = version.split('.').map(number).collect();
        match numbers.as_deref() {
            Some(&[major, minor, patch]) if is_plain => Ok(Self([major, minor, patch])),
            _ => Err(InvalidPluginVersion),
        }
    }
}

/// Parses one number of a plugin version, of up to nine digits. `str::parse` would also accept a leading `+`.
fn number(text: &str) -> Option<u32> {
    let is_digits = text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_digits)
}

impl fmt::Display for PluginVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}.{patch}")
    }
}

impl<'de> Deserialize<'de> for PluginVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = PluginVersion;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a version as text, such as \"1.2.0\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PluginVersion, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let read = |text: &str| text.parse::<PluginVersion>();
        assert_eq!(read("0.1.0"), Ok(PluginVersion::new(0, 1, 0)));
        assert_eq!(read("10.20.30+tf2"), Ok(PluginVersion::new(10, 20, 30)));
        for (earlier, later) in [("0.9.9", "0.10.0"), ("1.0.0", "1.0.1"), ("1.9.9", "2.0.0")] {
            assert!(read(earlier).unwrap() < read(later).unwrap(), "{earlier}");
        }
        let long = format!("1.2.3-{}", "x".repeat(60));
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "1.2.x",
            "-1.2.3",
            "+1.2.3",
            "1..3",
            "1.2.1000000000",
            "v1.2.3",
            "1.2.3 ",
            &long,
        ] {
            assert_eq!(read(text), Err(InvalidPluginVersion), "{text}");
        }
    }
}
