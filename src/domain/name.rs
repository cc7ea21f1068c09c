use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

/// Declares a text of 1 to `$longest` characters that all satisfy `$allowed`, with one constructor
/// (`FromStr`) that JSON, TOML and the database all go through.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $longest:literal, $allowed:expr, $rule:literal) => {
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
                let allowed: fn(char) -> bool = $allowed;
                let length = text.chars().count();
                if (1..=$longest).contains(&length) && text.chars().all(allowed) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidName { rule: $rule, length })
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?
                    .parse()
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}

/// A text that is too long, empty, or has a character that its kind of name does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {rule}; it has {length} characters or one that is not allowed")]
pub struct InvalidName {
    rule: &'static str,
    length: usize,
}

name!(
    /// A game server, as it names itself.
    ServerName,
    64,
    is_plain,
    "1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'"
);

name!(
    /// A set of ratings that one or more servers share.
    PoolName,
    64,
    is_plain,
    "1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'"
);

name!(
    /// The client's own name for one round, unique within its server; makes retries safe.
    RoundId,
    64,
    |character| character.is_ascii_graphic(),
    "1 to 64 visible ASCII characters without spaces"
);

name!(
    /// What an admin's change is named for good, so that it is made once however often it is sent.
    ChangeId,
    64,
    |character| character.is_ascii_graphic(),
    "1 to 64 visible ASCII characters without spaces"
);

name!(
    /// The map that a round was played on, for people to read.
    MapName,
    64,
    |character| !character.is_control(),
    "1 to 64 characters without control characters"
);

name!(
    /// A group of friends who want to stay together, as the plugin labels them.
    PartyName,
    64,
    |character| !character.is_control(),
    "1 to 64 characters without control characters"
);

name!(
    /// What a player can do for a team, such as `medic`, as the plugin calls it.
    RoleName,
    32,
    |character| character.is_ascii_graphic(),
    "1 to 32 visible ASCII characters without spaces"
);

name!(
    /// A way of playing in which teams may be left alone, such as `ffa` or `tournament`.
    ModeName,
    64,
    is_plain,
    "1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'"
);

name!(
    /// A policy of balance, such as `ns2`.
    PolicyName,
    64,
    is_plain,
    "1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'"
);

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-')
}

impl Default for PoolName {
    /// The pool of every server that is not told otherwise.
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
        assert!("a".repeat(65).parse::<ServerName>().is_err());
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
        assert!("a b".parse::<RoundId>().is_err());
        assert!("a\n".parse::<RoundId>().is_err());
        assert!("é".parse::<RoundId>().is_err());
        assert!("arena:1".parse::<ServerName>().is_err());
        assert!("combat-medic".parse::<RoleName>().is_ok());
        assert!("combat medic".parse::<RoleName>().is_err());
        assert!("Princes Park".parse::<MapName>().is_ok());
        assert!("a\0b".parse::<MapName>().is_err());
    }
}
