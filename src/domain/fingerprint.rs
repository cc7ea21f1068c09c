use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::name::parsed;

/// Public identifier of a secret: eight hexadecimal digits that distinguish a few secrets without revealing any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u32);

/// Error for a text that is not the fingerprint of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be eight hexadecimal digits in lower case")]
pub struct InvalidFingerprint;

impl Fingerprint {
    /// Creates the fingerprint (public identifier) of a secret from four bytes, most significant byte first.
    #[must_use]
    pub const fn new(bytes: [u8; 4]) -> Self {
        Self(u32::from_be_bytes(bytes))
    }
}

impl FromStr for Fingerprint {
    type Err = InvalidFingerprint;

    fn from_str(text: &str) -> Result<Self, InvalidFingerprint> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 8 || !text.bytes().all(is_digit) {
            return Err(InvalidFingerprint);
        }
        u32::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| InvalidFingerprint)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08x}", self.0)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_eight_digits() {
        let fingerprint = Fingerprint::new([0x01, 0x23, 0xab, 0xcd]);
        assert_eq!(fingerprint.to_string(), "0123abcd");
        assert_eq!("0123abcd".parse(), Ok(fingerprint));
        for text in ["", "0123abc", "0123abcde", "0123ABCD", "0123abcg"] {
            assert_eq!(text.parse::<Fingerprint>(), Err(InvalidFingerprint));
        }
    }
}
