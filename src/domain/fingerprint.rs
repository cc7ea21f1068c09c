use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// Encodes bytes in lower-case hexadecimal, two digits per byte.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = halves.map(|half| char::from_digit(half.into(), 16));
    digits.flatten().collect()
}

/// Decodes hexadecimal digits in upper or lower case. Returns `None` for other characters and for an odd number of
/// digits.
#[must_use]
pub fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let (pairs, odd) = digits.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        bytes.push(u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()?);
    }
    odd.is_empty().then_some(bytes)
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

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hexadecimal(&[0, 7, 0x80, 0xff]), "000780ff");
        assert_eq!(hexadecimal(&[]), "");
    }

    #[test]
    fn what_is_written_is_read_in_either_case() {
        assert_eq!(from_hexadecimal("000780fF"), Some(vec![0, 7, 0x80, 0xff]));
        assert_eq!(from_hexadecimal(""), Some(vec![]));
        for wrong in ["0", "000", "0g", "+1", "ä0"] {
            assert_eq!(from_hexadecimal(wrong), None, "{wrong}");
        }
    }
}
