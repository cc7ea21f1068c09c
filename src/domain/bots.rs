use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{BotLevel, Side};

/// Number of bots of each level that played on each team for the whole match. Bots have no rating.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamBots {
    /// Number of bots of each level on team a.
    #[serde(default, skip_serializing_if = "BotCounts::is_empty")]
    pub a: BotCounts,
    /// Number of bots of each level on team b.
    #[serde(default, skip_serializing_if = "BotCounts::is_empty")]
    pub b: BotCounts,
}

/// Number of bots of each level on one team: at most [`BotCounts::MAX`] in all. Levels without a bot are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct BotCounts(BTreeMap<BotLevel, u32>);

/// Error for a team with more than [`BotCounts::MAX`] bots. Holds the number of bots sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("has {0} bots; send at most {most} per team", most = BotCounts::MAX)]
pub struct TooManyBots(u32);

impl TeamBots {
    /// Returns `true` if neither team has a bot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty()
    }

    /// Returns the number of bots on team a and on team b.
    pub(crate) fn counts(&self) -> [u32; 2] {
        [&self.a, &self.b].map(|team| team.0.values().sum())
    }

    /// Iterates over the numbers of bots by team and level, without zeros: team a, then team b, each sorted by level.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &BotLevel, u32)> {
        let teams = [(Side::A, &self.a), (Side::B, &self.b)].into_iter();
        teams.flat_map(|(side, team)| {
            team.0
                .iter()
                .map(move |(level, count)| (side, level, *count))
        })
    }

    /// Deserializes the bots of both teams from a field that may be `null`, which means no bots.
    pub(super) fn deserialize_any<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or_default())
    }
}

impl BotCounts {
    /// Maximum number of bots on one team.
    pub const MAX: u8 = 32;

    fn of(counts: BTreeMap<BotLevel, u32>) -> Result<Self, TooManyBots> {
        let all = counts
            .values()
            .fold(0, |sum: u32, count| sum.saturating_add(*count));
        if all > u32::from(Self::MAX) {
            return Err(TooManyBots(all));
        }
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        Ok(Self(counts.collect()))
    }

    pub(crate) fn of_each(levels: &[BotLevel]) -> Result<Self, TooManyBots> {
        let mut counts: BTreeMap<BotLevel, u32> = BTreeMap::new();
        for level in levels {
            *counts.entry(level.clone()).or_default() += 1;
        }
        Self::of(counts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for BotCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let counts: Option<BTreeMap<BotLevel, u32>> = Option::deserialize(deserializer)?;
        Self::of(counts.unwrap_or_default()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_written_as_they_are_read_and_none_is_left_out() {
        let read = |text| serde_json::from_str::<TeamBots>(text).unwrap();
        let bots = read(r#"{"a":{"easy":1,"expert":2,"none":0},"b":null}"#);
        assert_eq!(
            serde_json::to_string(&bots).unwrap(),
            r#"{"a":{"easy":1,"expert":2}}"#
        );
        let counts: Vec<_> = bots
            .iter()
            .map(|(side, level, count)| (side, level.as_str(), count))
            .collect();
        assert_eq!(counts, [(Side::A, "easy", 1), (Side::A, "expert", 2)]);
        assert!(read(r#"{"a":{"easy":0}}"#).is_empty());
    }

    #[test]
    fn thirty_three_of_a_team_are_too_many() {
        let error = serde_json::from_str::<TeamBots>(r#"{"a":{"easy":16,"hard":17}}"#).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("has 33 bots; send at most 32"), "{said}");
    }
}
