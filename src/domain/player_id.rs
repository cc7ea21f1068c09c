use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The SteamID64 of the account with number 0; accounts count up from here.
const BASE: u64 = 76_561_197_960_265_728;

/// A player: the SteamID64 of an individual account in Steam's public universe.
///
/// Three spellings of one account are read: the decimal SteamID64, `STEAM_X:Y:Z` and `[U:1:N]`.
/// JSON takes a string in any of them, or the SteamID64 as an integer. Written out it is always
/// the decimal string, because JSON numbers lose digits past 2^53.
///
/// ```
/// use rbs::domain::PlayerId;
/// let id: PlayerId = "STEAM_0:1:0".parse().unwrap();
/// assert_eq!(id, "[U:1:1]".parse().unwrap());
/// assert_eq!(id.to_string(), "76561197960265729");
/// assert!("0".parse::<PlayerId>().is_err(), "bots have no account");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u64);

/// What was given is no player's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not a player's SteamID; send a SteamID64 such as \"76561197960265729\", or the same \
     account as \"STEAM_0:1:0\" or \"[U:1:1]\", and leave bots out"
)]
pub struct InvalidPlayerId;

impl PlayerId {
    /// The player with this SteamID64.
    ///
    /// # Errors
    /// Any number outside the individual accounts 1 to 2^32 - 1 of the public universe.
    pub fn from_steam_id64(id: u64) -> Result<Self, InvalidPlayerId> {
        let account = id.checked_sub(BASE).ok_or(InvalidPlayerId)?;
        Self::from_account(account)
    }

    fn from_account(account: u64) -> Result<Self, InvalidPlayerId> {
        if (1..=u64::from(u32::MAX)).contains(&account) {
            Ok(Self(BASE + account))
        } else {
            Err(InvalidPlayerId)
        }
    }

    /// The SteamID64; it fits a signed 64-bit column.
    #[must_use]
    pub fn steam_id64(self) -> u64 {
        self.0
    }
}

/// Digits and nothing else: `parse` alone would take a sign.
fn digits(text: &str) -> Result<u64, InvalidPlayerId> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(InvalidPlayerId);
    }
    text.parse().map_err(|_| InvalidPlayerId)
}

impl FromStr for PlayerId {
    type Err = InvalidPlayerId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(rest) = text.strip_prefix("STEAM_") {
            let mut parts = rest.splitn(3, ':');
            let (universe, low, high) = (parts.next(), parts.next(), parts.next());
            // Older games write the public universe as 0, newer ones as 1.
            return match (universe, low, high) {
                (Some("0" | "1"), Some(low @ ("0" | "1")), Some(high)) => {
                    let high = digits(high)?;
                    let doubled = high.checked_mul(2).ok_or(InvalidPlayerId)?;
                    Self::from_account(doubled + digits(low)?)
                }
                _ => Err(InvalidPlayerId),
            };
        }
        if let Some(account) = text.strip_prefix("[U:1:") {
            let account = account.strip_suffix(']').ok_or(InvalidPlayerId)?;
            return Self::from_account(digits(account)?);
        }
        Self::from_steam_id64(digits(text)?)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for PlayerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PlayerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = PlayerId;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a SteamID64 as a decimal string")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PlayerId, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, id: u64) -> Result<PlayerId, E> {
                PlayerId::from_steam_id64(id).map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<PlayerId, E> {
                Err(E::custom(InvalidPlayerId))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_account_is_refused() {
        for form in [
            "76561202255233024",
            "STEAM_0:2:1",
            "STEAM_0:1:1:1",
            "STEAM_0:1:18446744073709551615",
            "[U:1:3",
            "[G:1:3]",
        ] {
            assert!(form.parse::<PlayerId>().is_err(), "{form}");
        }
    }

    proptest! {
        #[test]
        fn every_account_reads_back_in_every_form(account in 1..=u32::MAX) {
            let id = PlayerId::from_steam_id64(BASE + u64::from(account)).unwrap();
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(format!("[U:1:{account}]").parse(), Ok(id));
            prop_assert_eq!(format!("STEAM_0:{}:{}", account % 2, account / 2).parse(), Ok(id));
        }
    }
}
