use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

/// The characters that a kind of name may have.
struct Alphabet {
    allows: fn(char) -> bool,
    rule: &'static str,
}

const PLAIN: Alphabet = Alphabet {
    allows: |character| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-'),
    rule: "of the letters a-z and A-Z, digits, '.', '_' and '-'",
};
const VISIBLE: Alphabet = Alphabet {
    allows: |character| character.is_ascii_graphic(),
    rule: "visible ASCII characters without spaces",
};
const PRINTED: Alphabet = Alphabet {
    allows: |character| !character.is_control(),
    rule: "characters without control characters",
};

/// A text that is too long, empty, or has a character that its kind of name does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {longest} {rule}; it has {length} characters or one that is not allowed")]
pub struct InvalidName {
    longest: usize,
    rule: &'static str,
    length: usize,
}

impl Alphabet {
    /// Checks that `text` has 1 to `longest` of these characters and no others.
    fn check(&self, text: &str, longest: usize) -> Result<(), InvalidName> {
        let length = text.chars().count();
        if (1..=longest).contains(&length) && text.chars().all(self.allows) {
            return Ok(());
        }
        Err(InvalidName {
            longest,
            rule: self.rule,
            length,
        })
    }
}

/// Declares texts of 1 to `$longest` characters of an alphabet, each with one constructor (`FromStr`)
/// that JSON, TOML and the database all go through.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $longest:literal $alphabet:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text itself.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidName;

            fn from_str(text: &str) -> Result<Self, InvalidName> {
                $alphabet.check(text, $longest)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parsed(deserializer)
            }
        }
    )*};
}

names! {
    /// A game server, as it names itself.
    ServerName: 64 PLAIN,
    /// A set of ratings that one or more servers share.
    PoolName: 64 PLAIN,
    /// The client's own name for one round, unique within its server; makes retries safe.
    RoundId: 64 VISIBLE,
    /// What an admin's change is named for good, so that it is made once however often it is sent.
    ChangeId: 64 VISIBLE,
    /// The map that a round was played on, for people to read.
    MapName: 64 PRINTED,
    /// A group of friends who want to stay together, as the plugin labels them.
    PartyName: 64 PRINTED,
    /// Players who should not share a team, as the plugin labels them.
    ApartName: 64 PRINTED,
    /// What a player can do for a team, such as `medic`, as the plugin calls it.
    RoleName: 32 VISIBLE,
    /// A way of playing in which teams may be left alone, such as `ffa` or `tournament`.
    ModeName: 64 PLAIN,
    /// A policy of balance, such as `ns2`.
    PolicyName: 64 PLAIN,
}

/// What a string of JSON or TOML spells.
pub(super) fn parsed<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

impl Default for PoolName {
    /// The pool of every server for which no other is configured.
    fn default() -> Self {
        Self("default".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_four_characters_are_a_name_and_sixty_five_are_not() {
        assert!("é".repeat(64).parse::<MapName>().is_ok());
        assert!("é".repeat(65).parse::<MapName>().is_err());
        assert!("a".repeat(64).parse::<ServerName>().is_ok());
        assert!("".parse::<RoundId>().is_err());
    }

    #[test]
    fn a_role_is_called_by_at_most_thirty_two() {
        assert!("m".repeat(32).parse::<RoleName>().is_ok());
        let error = "m".repeat(33).parse::<RoleName>().unwrap_err().to_string();
        assert!(error.starts_with("must be 1 to 32 visible"), "{error}");
    }

    #[test]
    fn each_kind_has_its_own_characters() {
        assert!("arena-1:1763640000:17".parse::<RoundId>().is_ok());
        assert!("combat-medic".parse::<RoleName>().is_ok());
        assert!("combat medic".parse::<RoleName>().is_err());
        assert!("Princes Park".parse::<MapName>().is_ok());
    }
}
