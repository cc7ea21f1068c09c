use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use foldhash::fast::RandomState;
use serde::{Deserialize, Deserializer, de};

/// SteamID64 of account number 0. The SteamID64 of account N is this number plus N.
const BASE: u64 = 76_561_197_960_265_728;

/// A player's SteamID64, for an individual account in Steam's public universe.
///
/// Parses the decimal SteamID64, `STEAM_X:Y:Z`, `[U:1:N]` with or without brackets, and links to a profile, in
/// upper or lower case. JSON takes any of these as a string, or the SteamID64 as an integer. Serializes as a
/// decimal string, because JSON numbers lose digits beyond 2^53.
///
/// ```
/// use rbs::domain::PlayerId;
/// let id: PlayerId = "STEAM_0:1:0".parse().unwrap();
/// assert_eq!(id, "[U:1:1]".parse().unwrap());
/// assert_eq!(id, "steamcommunity.com/profiles/76561197960265729".parse().unwrap());
/// assert_eq!(id.to_string(), "76561197960265729");
/// assert!("0".parse::<PlayerId>().is_err(), "bots have no account");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u64);

/// Error for a text or number that is not a player's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPlayerId {
    /// The input has an unknown format, or does not name an individual Steam account.
    #[error(
        "is not a player's SteamID; send a SteamID64 such as \"76561197960265729\", or the same \
         account as \"STEAM_0:1:0\" or \"[U:1:1]\", and leave bots out"
    )]
    NoAccount,
    /// The input is a link to a profile by its custom name, which only Steam can resolve.
    #[error(
        "links to a profile by its custom name, which only Steam can resolve; send a SteamID64 such as \
         \"76561197960265729\": the command status in the game's console lists the id of every player, \
         and Steam's page \"Account details\" shows your own id"
    )]
    CustomName,
}

impl PlayerId {
    /// Creates an id from a SteamID64.
    ///
    /// # Errors
    /// Returns [`InvalidPlayerId::NoAccount`] unless `id` belongs to one of the individual accounts 1 to 2^32 - 1
    /// of the public universe.
    pub fn from_steam_id64(id: u64) -> Result<Self, InvalidPlayerId> {
        let is_account = |account: &u64| (1..=u64::from(u32::MAX)).contains(account);
        let account = id.checked_sub(BASE).filter(is_account);
        account.map(|_| Self(id)).ok_or(InvalidPlayerId::NoAccount)
    }

    /// Returns the SteamID64, which fits into a signed 64-bit integer.
    #[must_use]
    pub fn steam_id64(self) -> u64 {
        self.0
    }
}

/// Parses a number of digits only, for parts of a SteamID. `str::parse` would also accept a leading `+`.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Removes `prefix` from `text`, ignoring ASCII case.
fn behind<'text>(text: &'text str, prefix: &str) -> Option<&'text str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns the path of a link to steamcommunity.com, without query and fragment.
fn in_link(text: &str) -> Option<&str> {
    let text = behind(text, "https://")
        .or_else(|| behind(text, "http://"))
        .unwrap_or(text);
    let path = behind(behind(text, "www.").unwrap_or(text), "steamcommunity.com/")?;
    let end = path.find(['?', '#']).unwrap_or(path.len());
    Some(path[..end].trim_end_matches('/'))
}

/// Returns the account number in `Y:Z` of `STEAM_X:Y:Z`; `parts` is the text after the underscore.
fn account_in_parts(parts: &str) -> Option<u64> {
    let (universe, parts) = parts.split_once(':')?;
    let (low, high) = parts.split_once(':')?;
    // Older games write the public universe as 0, newer games as 1.
    if !matches!((universe, low), ("0" | "1", "0" | "1")) {
        return None;
    }
    digits(high)?.checked_mul(2)?.checked_add(digits(low)?)
}

/// Returns the account number in a SteamID `[U:1:N]` or `U:1:N`.
fn account_in_brackets(text: &str) -> Option<u64> {
    let text = match text.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']')?,
        None => text,
    };
    digits(behind(text, "U:1:")?)
}

impl FromStr for PlayerId {
    type Err = InvalidPlayerId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = match in_link(text) {
            None => text,
            Some(path) => match behind(path, "profiles/") {
                Some(id) => id,
                None if behind(path, "id/").is_some() => return Err(InvalidPlayerId::CustomName),
                None => return Err(InvalidPlayerId::NoAccount),
            },
        };
        let account = match behind(text, "STEAM_") {
            Some(parts) => account_in_parts(parts),
            None => account_in_brackets(text),
        };
        match account.map_or_else(|| digits(text), |account| BASE.checked_add(account)) {
            Some(id) => Self::from_steam_id64(id),
            None => Err(InvalidPlayerId::NoAccount),
        }
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
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
                Err(E::custom(InvalidPlayerId::NoAccount))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Map from players to values, with a fast hash function.
///
/// # Design
/// A replay looks up the player of every result several times. The standard library's hash resists keys that an
/// attacker chose, and would take a tenth of a replay's time. Player ids are numbers assigned by Steam and come
/// from game servers and admins, so a fast hash with a random seed is safe enough.
pub type PlayerMap<T> = HashMap<PlayerId, T, RandomState>;

/// Set of players, with the hash function of [`PlayerMap`].
pub type PlayerSet = HashSet<PlayerId, RandomState>;

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
            "U:1:3]",
            "[G:1:3]",
            "STEAM_0:1:",
            "https://steamcommunity.com/profiles/",
            "https://steamcommunity.com/profiles/gaben",
            "https://steamcommunity.com/groups/valve",
            "https://example.org/profiles/76561197960265729",
            "ftp://steamcommunity.com/profiles/76561197960265729",
            "steamcommunity.com/profiles/76561197960265729/games",
        ] {
            let error = form.parse::<PlayerId>().unwrap_err();
            assert_eq!(error, InvalidPlayerId::NoAccount, "{form}");
        }
        let custom = "https://steamcommunity.com/id/gaben/".parse::<PlayerId>();
        assert_eq!(custom, Err(InvalidPlayerId::CustomName));
    }

    proptest! {
        #[test]
        fn every_account_reads_back_in_every_form(account in 1..=u32::MAX) {
            let id = PlayerId::from_steam_id64(BASE + u64::from(account)).unwrap();
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            let in_brackets = format!("[U:1:{account}]");
            let in_parts = format!("STEAM_0:{}:{}", account % 2, account / 2);
            let link = format!("steamcommunity.com/profiles/{id}");
            for form in [
                in_brackets.to_lowercase(), in_brackets.replace(['[', ']'], ""), in_parts.to_lowercase(),
                format!("https://{link}/"), format!("HTTP://www.{link}"), format!("{link}/?l=german"),
                format!("https://steamcommunity.com/profiles/{in_brackets}"), in_brackets, in_parts, link,
            ] {
                prop_assert_eq!(form.parse(), Ok(id), "{}", form);
            }
        }
    }
}
