use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use foldhash::fast::RandomState;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The SteamID64 of the account with number 0; accounts count up from here.
const BASE: u64 = 76_561_197_960_265_728;

/// A player: the SteamID64 of an individual account in Steam's public universe.
///
/// Several spellings of one account are read: the decimal SteamID64, `STEAM_X:Y:Z`, `[U:1:N]` with or
/// without its brackets, each in upper or lower case, and the link to the account's profile. JSON takes
/// a string in any of them, or the SteamID64 as an integer. Written out it is always the decimal
/// string, because JSON numbers lose digits past 2^53.
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

/// Why what was given is no player's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPlayerId {
    /// It is none of the forms that are read, or names no individual account.
    #[error(
        "is not a player's SteamID; send a SteamID64 such as \"76561197960265729\", or the same \
         account as \"STEAM_0:1:0\" or \"[U:1:1]\", and leave bots out"
    )]
    NoAccount,
    /// A link to a profile by its custom name.
    #[error(
        "links to a profile by its custom name, which only Steam can resolve; send a SteamID64 such as \
         \"76561197960265729\": the command status in the game's console lists the id of every player, \
         and Steam's own page \"Account details\" has that of one's own account"
    )]
    CustomName,
}

impl PlayerId {
    /// The player with this SteamID64.
    ///
    /// # Errors
    /// Any number outside the individual accounts 1 to 2^32 - 1 of the public universe.
    pub fn from_steam_id64(id: u64) -> Result<Self, InvalidPlayerId> {
        let account = id.checked_sub(BASE).ok_or(InvalidPlayerId::NoAccount)?;
        Self::from_account(account)
    }

    fn from_account(account: u64) -> Result<Self, InvalidPlayerId> {
        if (1..=u64::from(u32::MAX)).contains(&account) {
            Ok(Self(BASE + account))
        } else {
            Err(InvalidPlayerId::NoAccount)
        }
    }

    /// The SteamID64; it fits a signed 64-bit column.
    #[must_use]
    pub fn steam_id64(self) -> u64 {
        self.0
    }
}

/// Digits and nothing else: `parse` alone would take a sign.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// `text` behind `prefix`, whose letters may be upper or lower case.
fn behind<'text>(text: &'text str, prefix: &str) -> Option<&'text str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// What stands in a link behind Steam's host.
fn in_link(text: &str) -> Option<&str> {
    let text = behind(text, "https://")
        .or_else(|| behind(text, "http://"))
        .unwrap_or(text);
    let path = behind(behind(text, "www.").unwrap_or(text), "steamcommunity.com/")?;
    let end = path.find(['?', '#']).unwrap_or(path.len());
    Some(path[..end].trim_end_matches('/'))
}

/// The account number in `STEAM_X:Y:Z`, of which `parts` stands behind the underscore.
fn account_in_parts(parts: &str) -> Option<u64> {
    let (universe, parts) = parts.split_once(':')?;
    let (low, high) = parts.split_once(':')?;
    // Older games write the public universe as 0, newer ones as 1.
    if !matches!((universe, low), ("0" | "1", "0" | "1")) {
        return None;
    }
    digits(high)?.checked_mul(2)?.checked_add(digits(low)?)
}

/// The account number in `[U:1:N]`, or without the brackets.
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
                Err(E::custom(InvalidPlayerId::NoAccount))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Something for each of some players.
///
/// # Design
/// A replay of rounds looks up the player of every result several times, and would spend a tenth of its time in the hash
/// of the standard library, which withstands keys that an attacker chose. Players' ids are numbers that Steam gives out,
/// and come from game servers and admins, so a quick hash with a random seed does.
pub type PlayerMap<T> = HashMap<PlayerId, T, RandomState>;

/// Some players.
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
