use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

/// Whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    pub(crate) fn get(self) -> u32 {
        self.0
    }

    pub(crate) fn count(self) -> usize {
        self.0 as usize
    }
}

impl<const MIN: u32, const MAX: u32> fmt::Display for Whole<MIN, MAX> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<const MIN: u32, const MAX: u32> FromStr for Whole<MIN, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .ok()
            .filter(|number| (MIN..=MAX).contains(number))
            .map(Self)
            .ok_or_else(|| format!("must be a whole number from {MIN} to {MAX}"))
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<const MIN: u32, const MAX: u32>;

        impl<const MIN: u32, const MAX: u32> de::Visitor<'_> for Visitor<MIN, MAX> {
            type Value = Whole<MIN, MAX>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "a whole number from {MIN} to {MAX}")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                u32::try_from(number)
                    .ok()
                    .filter(|number| (MIN..=MAX).contains(number))
                    .map(Whole)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }
        }

        deserializer.deserialize_u64(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_within_the_bounds_are_read() {
        let read = serde_json::from_str::<Whole<2, 64>>;
        assert_eq!(read("2").unwrap().get(), 2);
        assert_eq!(read("64").unwrap().count(), 64);
        for text in "1 65 -2 2.0 4294967298 1e30 \"2\" null true [2]".split(' ') {
            let error = read(text).unwrap_err().to_string();
            let expected = "expected a whole number from 2 to 64";
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
