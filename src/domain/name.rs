use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::is_unseen;

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

/// Why a text is not a name of its kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// Too long, or empty.
    #[error("must be 1 to {longest} {rule}; it has {length} characters")]
    Length {
        /// The most characters.
        longest: usize,
        /// Which characters.
        rule: &'static str,
        /// How many there are.
        length: usize,
    },
    /// A character that this kind of name does not allow.
    #[error(
        "must be 1 to {longest} {rule}; {}, its character {place}, is not allowed{}",
        shown(*.found), instead(.suggestion.as_deref())
    )]
    Character {
        /// The most characters.
        longest: usize,
        /// Which characters.
        rule: &'static str,
        /// The first that is not allowed.
        found: char,
        /// Where it stands, counted from 1.
        place: usize,
        /// The same name without such characters, where that is one.
        suggestion: Option<String>,
    },
}

/// A character in quotes; the number of one that cannot be seen.
fn shown(character: char) -> String {
    if is_unseen(character) || (character.is_whitespace() && character != ' ') {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("'{character}'")
    }
}

fn instead(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; write {name}"))
}

impl Alphabet {
    /// Checks that `text` has 1 to `longest` of these characters and no others.
    fn check(&self, text: &str, longest: usize) -> Result<(), InvalidName> {
        let (rule, length) = (self.rule, text.chars().count());
        if !(1..=longest).contains(&length) {
            return Err(InvalidName::Length {
                longest,
                rule,
                length,
            });
        }
        let allows = self.allows;
        let mut numbered = (1..).zip(text.chars());
        let Some((place, found)) = numbered.find(|(_, character)| !allows(*character)) else {
            return Ok(());
        };
        // A text without any character that is allowed is no name with others in its place.
        let suggestion = text
            .contains(allows)
            .then(|| text.replace(|one| !allows(one), "-"));
        Err(InvalidName::Character {
            longest,
            rule,
            found,
            place,
            suggestion,
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
    /// What ratings from elsewhere are named for good that are set together.
    RatingsName: 40 PLAIN,
    /// The map that a round was played on, for people to read.
    MapName: 64 PRINTED,
    /// A group of friends who want to stay together, as the plugin labels them.
    PartyName: 64 PRINTED,
    /// Players who should not share a team, as the plugin labels them.
    ApartName: 64 PRINTED,
    /// What a player can do for a team, such as `medic`, as the plugin calls it.
    RoleName: 32 VISIBLE,
    /// A way of playing, such as `ctf`, `ffa` or `tournament`.
    ModeName: 64 PRINTED,
    /// What changes the rules of the game, such as `InstaGib`.
    MutatorName: 64 PRINTED,
    /// A number of the scoreboard that a pool declares, such as `damage`.
    StatName: 32 PLAIN,
    /// A ticket of those who wait for a match, unique within its queue.
    TicketName: 64 VISIBLE,
    /// Where servers stand, as a matchmaker calls it, such as `eu`.
    RegionName: 64 PLAIN,
    /// A notice to a game server, unique within it.
    NoticeName: 64 VISIBLE,
    /// A policy of balance, such as `ns2`.
    PolicyName: 64 PLAIN,
    /// What players are weighed by, such as `pub-power`.
    PowerName: 64 PLAIN,
    /// A season of a pool, for people to read.
    SeasonName: 40 PRINTED,
    /// What a secret is called, so that people know whose it is.
    SecretName: 32 PLAIN,
    /// How skilled a bot is set to be, as the pool calls it, such as `expert`.
    BotLevel: 32 PLAIN,
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

impl Default for PowerName {
    /// The power that is the rating.
    fn default() -> Self {
        Self("rating".to_owned())
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
    fn a_character_that_is_not_allowed_is_named_with_its_place() {
        let error = |text: &str| text.parse::<ServerName>().unwrap_err().to_string();
        let address = error("10.0.0.1:27015");
        let expected = "':', its character 9, is not allowed; write 10.0.0.1-27015";
        assert!(address.ends_with(expected), "{address}");
        let invisible = error("\u{7f}\u{2028}");
        assert!(
            invisible.ends_with("U+007F, its character 1, is not allowed"),
            "{invisible}"
        );
        let blank = error("my server");
        assert!(
            blank.ends_with("' ', its character 3, is not allowed; write my-server"),
            "{blank}"
        );
    }

    #[test]
    fn each_kind_has_its_own_characters() {
        assert!("arena-1:1763640000:17".parse::<RoundId>().is_ok());
        assert!("combat-medic".parse::<RoleName>().is_ok());
        assert!("combat medic".parse::<RoleName>().is_err());
        assert!("Princes Park".parse::<MapName>().is_ok());
    }
}
