use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::is_unseen;

/// Set of characters allowed in a kind of name.
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

/// Error for a text that is not a valid name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {longest} {rule}; {problem}")]
pub struct InvalidName {
    longest: usize,
    rule: &'static str,
    problem: String,
}

/// Quotes a character, or returns its code point if the character is invisible.
fn shown(character: char) -> String {
    if is_unseen(character) || (character.is_whitespace() && character != ' ') {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("'{character}'")
    }
}

impl Alphabet {
    fn check(&self, text: &str, longest: usize) -> Result<(), InvalidName> {
        let length = text.chars().count();
        let problem = if (1..=longest).contains(&length) {
            self.forbidden_character(text)
        } else {
            Some(format!("it has {length} characters"))
        };
        problem.map_or(Ok(()), |problem| {
            Err(InvalidName {
                longest,
                rule: self.rule,
                problem,
            })
        })
    }

    /// Describes the first character of `text` that is not in the alphabet. Suggests a text with `-` in place of each
    /// such character, unless it would consist of dashes only.
    fn forbidden_character(&self, text: &str) -> Option<String> {
        let allows = self.allows;
        let mut numbered = (1..).zip(text.chars());
        let (place, found) = numbered.find(|(_, character)| !allows(*character))?;
        let mut problem = format!("{} at position {place} is not allowed", shown(found));
        if text.contains(allows) {
            problem += "; write ";
            problem += &text.replace(|one| !allows(one), "-");
        }
        Some(problem)
    }
}

/// Declares name types of 1 to `$longest` characters of an alphabet. `FromStr` is the only constructor; JSON, TOML
/// and the database use it too.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $longest:literal $alphabet:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Returns this validated name as a string slice.
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
    /// Name of a game server, chosen by the server.
    ServerName: 64 PLAIN,
    /// Name of a pool: a set of ratings that one or more servers share.
    PoolName: 64 PLAIN,
    /// Client's identifier of a round, unique within its server. Makes retries idempotent.
    RoundId: 64 VISIBLE,
    /// Client's identifier of an admin change. Makes retries idempotent.
    ChangeId: 64 VISIBLE,
    /// Identifier of an import of ratings. Makes retries idempotent, and is needed to undo the import.
    RatingsName: 40 PLAIN,
    /// Name of a game map, for display.
    MapName: 64 PRINTED,
    /// Label of a party: friends who want to play on one team.
    PartyName: 64 PRINTED,
    /// Label of a group of players who should not share a team.
    ApartName: 64 PRINTED,
    /// Role of a player in a team, such as `medic`.
    RoleName: 32 VISIBLE,
    /// Game mode, such as `ctf`, `ffa` or `tournament`.
    ModeName: 64 PRINTED,
    /// Name of a mutator, which changes the rules of the game, such as `InstaGib`.
    MutatorName: 64 PRINTED,
    /// Name of a scoreboard statistic that a pool declares, such as `damage`.
    StatName: 32 PLAIN,
    /// Identifier of a matchmaking ticket, unique within its queue.
    TicketName: 64 VISIBLE,
    /// Region of a game server, such as `eu`.
    RegionName: 64 PLAIN,
    /// Identifier of a notice to a game server, unique within the server.
    NoticeName: 64 VISIBLE,
    /// Name of a balance policy, such as `ns2`.
    PolicyName: 64 PLAIN,
    /// Name of a power, a measure of players' strength, such as `pub-power`.
    PowerName: 64 PLAIN,
    /// Name of a pool's season, for display.
    SeasonName: 40 PRINTED,
    /// Name of a secret, which tells admins who uses it.
    SecretName: 32 PLAIN,
    /// Skill level of a bot, such as `expert`, named by the pool.
    BotLevel: 32 PLAIN,
}

/// Deserializes a string and parses it with `FromStr`.
pub(super) fn parsed<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

impl Default for PoolName {
    /// Returns `default`, the pool of servers without a configured pool.
    fn default() -> Self {
        Self("default".to_owned())
    }
}

impl Default for PowerName {
    /// Returns the power `rating`, which values players by their ratings.
    fn default() -> Self {
        Self("rating".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_own_characters_and_length() {
        assert!("é".repeat(64).parse::<MapName>().is_ok());
        assert!("é".repeat(65).parse::<MapName>().is_err());
        assert!("a".repeat(64).parse::<ServerName>().is_ok());
        assert!("".parse::<RoundId>().is_err());
        assert!("arena-1:1763640000:17".parse::<RoundId>().is_ok());
        assert!("combat-medic".parse::<RoleName>().is_ok());
        assert!("combat medic".parse::<RoleName>().is_err());
        assert!("Princes Park".parse::<MapName>().is_ok());
        let error = "m".repeat(33).parse::<RoleName>().unwrap_err().to_string();
        assert!(error.starts_with("must be 1 to 32 visible"), "{error}");
    }

    #[test]
    fn a_character_that_is_not_allowed_is_named_with_its_place() {
        let error = |text: &str| text.parse::<ServerName>().unwrap_err().to_string();
        let address = error("10.0.0.1:27015");
        let expected = "':' at position 9 is not allowed; write 10.0.0.1-27015";
        assert!(address.ends_with(expected), "{address}");
        let invisible = error("\u{7f}\u{2028}");
        assert!(
            invisible.ends_with("U+007F at position 1 is not allowed"),
            "{invisible}"
        );
        let blank = error("my server");
        assert!(
            blank.ends_with("' ' at position 3 is not allowed; write my-server"),
            "{blank}"
        );
    }
}
