use std::fmt;

use serde::{Serialize, Serializer};

/// One of the teams of a match, by its place: the first is `a`, the eighth `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamLetter(u8);

impl TeamLetter {
    /// The last team that has a letter.
    const LAST: u8 = b'h';

    /// The team at this place, counted from 0; those behind the eighth have its letter.
    #[must_use]
    pub fn at(place: usize) -> Self {
        let behind_a = u8::try_from(place).unwrap_or(u8::MAX);
        Self(b'a'.saturating_add(behind_a).min(Self::LAST))
    }

    /// The team of that letter, if there is one.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = u8::try_from(letter).ok()?;
        (b'a'..=Self::LAST)
            .contains(&letter)
            .then_some(Self(letter))
    }
}

impl fmt::Display for TeamLetter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        char::from(self.0).fmt(formatter)
    }
}

impl Serialize for TeamLetter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_teams_have_letters() {
        let letters: String = (0..9)
            .map(|place| TeamLetter::at(place).to_string())
            .collect();
        assert_eq!(letters, "abcdefghh");
        for (letter, is_one) in [
            ('a', true),
            ('h', true),
            ('i', false),
            ('A', false),
            ('é', false),
        ] {
            assert_eq!(
                TeamLetter::from_letter(letter).is_some(),
                is_one,
                "{letter}"
            );
        }
    }
}
