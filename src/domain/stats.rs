use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{ModeName, Mutators, PlayerEntry, RoundParts, StatName};

/// One number on a scoreboard: from -1,000,000,000 to 1,000,000,000, never NaN.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Stat(f64);

// A `Stat` is never NaN, so every value equals itself.
impl Eq for Stat {}

impl Stat {
    /// Largest absolute value of a number on a scoreboard.
    pub const MAX: f64 = 1e9;

    /// Creates a number on a scoreboard. Returns `None` if `value` is NaN or out of range.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding 0.0 turns -0.0 into 0.0.
        (-Self::MAX..=Self::MAX)
            .contains(&value)
            .then_some(Self(value + 0.0))
    }

    /// Returns the number on the scoreboard as a float.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// Returns this scoreboard number as an integer, or `None` if the number has a fraction.
    pub(crate) fn whole(self) -> Option<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within range")]
        (self.0.fract() == 0.0).then_some(self.0 as i64)
    }
}

/// Number of times something happened to a player in a round, such as kills: 0 to 1,000,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct StatCount(u32);

impl StatCount {
    /// Largest count on a scoreboard, such as a number of kills.
    pub const MAX: u32 = 1_000_000;

    /// Creates a count on a scoreboard. Returns `None` if `count` is greater than [`StatCount::MAX`].
    pub(crate) fn new(count: u32) -> Option<Self> {
        (count <= Self::MAX).then_some(Self(count))
    }

    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

/// One player's line on the scoreboard of a round. Stored with the round; ratings do not depend on it.
///
/// In JSON, the statistics that a pool declares are fields of the same object as `score` and `kills`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// The player's score by the rules of the game; may be negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Stat>,
    /// Number of kills by this player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kills: Option<StatCount>,
    /// Number of deaths of this player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deaths: Option<StatCount>,
    /// Number of kills that this player assisted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assists: Option<StatCount>,
    /// Further numbers of the player, which the pool declares by name, at most [`Stats::MAX_NAMED`].
    #[serde(flatten)]
    pub named: BTreeMap<StatName, Stat>,
}

impl Stats {
    /// Maximum number of named scoreboard statistics that a pool may declare.
    pub const MAX_NAMED: usize = 8;
    /// Names of the scoreboard statistics that exist in every pool.
    pub const OF_EVERY_POOL: [&'static str; 4] = ["score", "kills", "deaths", "assists"];

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Stat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for StatCount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for Stat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Stat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::new(value).ok_or_else(|| {
            let most = Self::MAX;
            de::Error::custom(format!("is {value}; send a number from -{most} to {most}"))
        })
    }
}

impl<'de> Deserialize<'de> for StatCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let is_count = value.fract() == 0.0 && (0.0..=f64::from(Self::MAX)).contains(&value);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and within range"
        )]
        is_count.then_some(Self(value as u32)).ok_or_else(|| {
            let most = Self::MAX;
            de::Error::custom(format!("is {value}; send a whole number from 0 to {most}"))
        })
    }
}

impl<'de> Deserialize<'de> for Stats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Stats;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object with numbers from the scoreboard")
            }

            fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<Stats, M::Error> {
                read_stats(map)
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

/// Reads a player's scoreboard statistics by name, and skips statistics that are `null`.
fn read_stats<'de, M: de::MapAccess<'de>>(mut map: M) -> Result<Stats, M::Error> {
    let mut stats = Stats::default();
    let mut seen = Vec::new();
    while let Some(name) = map.next_key::<String>()? {
        if seen.contains(&name) {
            return Err(de::Error::custom(format!("duplicate field `{name}`")));
        }
        match name.as_str() {
            "score" => stats.score = map.next_value()?,
            "kills" => stats.kills = map.next_value()?,
            "deaths" => stats.deaths = map.next_value()?,
            "assists" => stats.assists = map.next_value()?,
            other => {
                let named: StatName = other.parse().map_err(|error| {
                    de::Error::custom(format!(
                        "has an entry \"{other}\", but the name of an entry {error}"
                    ))
                })?;
                if let Some(stat) = map.next_value()? {
                    stats.named.insert(named, stat);
                }
            }
        }
        seen.push(name);
    }
    let count = stats.named.len();
    if count > Stats::MAX_NAMED {
        return Err(de::Error::custom(format!(
            "has {count} numbers besides score, kills, deaths and assists; send at most {}",
            Stats::MAX_NAMED
        )));
    }
    Ok(stats)
}

/// The parts of a report that ratings do not depend on: mode, mutators and scoreboard.
///
/// Stored apart from the report, so that older versions of RBS can still read the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoreboard {
    /// Game mode of the round, if reported.
    pub mode: Option<ModeName>,
    /// Mutators active in the round.
    pub mutators: Mutators,
    /// Statistics of each player entry of the round: first team a's, then team b's, each in report order. Trailing
    /// entries without statistics may be missing.
    pub stats: Vec<Option<Box<Stats>>>,
}

impl RoundParts {
    /// Iterates over all player entries of the round: first team a's, then team b's.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = &mut PlayerEntry> {
        self.team_a.iter_mut().chain(&mut self.team_b)
    }

    /// Returns the round's report without its scoreboard, and the scoreboard, or `None` if the report has none of its
    /// parts.
    pub(crate) fn without_scoreboard(&self) -> (Cow<'_, Self>, Option<Scoreboard>) {
        let mut entries = self.team_a.iter().chain(&self.team_b);
        let has_any = self.mode.is_some()
            || !self.mutators.is_empty()
            || entries.any(|entry| entry.stats.is_some());
        if !has_any {
            return (Cow::Borrowed(self), None);
        }
        let mut parts = self.clone();
        let mut stats: Vec<_> = parts
            .entries_mut()
            .map(|entry| entry.stats.take())
            .collect();
        let last = stats.iter().rposition(Option::is_some);
        stats.truncate(last.map_or(0, |last| last + 1));
        let scoreboard = Scoreboard {
            mode: parts.mode.take(),
            mutators: std::mem::take(&mut parts.mutators),
            stats,
        };
        (Cow::Owned(parts), Some(scoreboard))
    }

    /// Restores the scoreboard that [`Self::without_scoreboard`] removed from a round's report. Returns `None` if the
    /// scoreboard has more lines than the round has player entries.
    pub(crate) fn with_scoreboard(mut self, scoreboard: Scoreboard) -> Option<Self> {
        if scoreboard.stats.len() > self.team_a.len() + self.team_b.len() {
            return None;
        }
        for (entry, stats) in self.entries_mut().zip(scoreboard.stats) {
            entry.stats = stats;
        }
        self.mode = scoreboard.mode;
        self.mutators = scoreboard.mutators;
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn read(text: &str) -> Result<Stats, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_read_back_as_they_were_written_and_whole_ones_stay_whole() {
        let text = r#"{"score":-12,"kills":3,"deaths":0,"assists":1000000,"damage":0.5}"#;
        let stats = read(text).unwrap();
        assert_eq!(serde_json::to_string(&stats).unwrap(), text);
        assert_eq!(stats.score.and_then(Stat::whole), Some(-12));
    }

    #[test]
    fn nothing_is_what_null_and_an_empty_object_say() {
        assert!(read("{}").unwrap().is_empty());
        assert!(read(r#"{"score":null,"damage":null}"#).unwrap().is_empty());
        assert_eq!(
            read(r#"{"score":-0.0}"#).unwrap(),
            read(r#"{"score":0}"#).unwrap()
        );
        assert_eq!(
            read(r#"{"kills":2.0}"#).unwrap(),
            read(r#"{"kills":2}"#).unwrap()
        );
    }

    #[test]
    fn what_no_scoreboard_has_is_refused_with_what_to_send() {
        for (text, expected) in [
            (r#"{"score":1000000001}"#, "send a number from -1000000000"),
            (r#"{"score":"1"}"#, "expected f64"),
            (r#"{"kills":-1}"#, "is -1; send a whole number from 0"),
            (r#"{"deaths":1.5}"#, "is 1.5; send a whole number from 0"),
            (r#"{"assists":1000001}"#, "to 1000000"),
            (r#"{"two words":1}"#, "the name of an entry must be 1 to 32"),
            (r#"{"kills":1,"kills":1}"#, "duplicate field `kills`"),
            (
                r#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}"#,
                "has 9 numbers besides score",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    fn round() -> RoundParts {
        let parts = json!({
            "round_id": "1", "server": "s", "winner": "a", "mode": "ctf", "mutators": ["low gravity"],
            "team_a": ["[U:1:1]", {"id": "[U:1:2]", "stats": {"score": 3}}],
            "team_b": ["[U:1:3]"],
        });
        from_value(parts).unwrap()
    }

    #[test]
    fn what_is_taken_apart_goes_together_again() {
        let parts = round();
        let (plain, scoreboard) = parts.without_scoreboard();
        let plain = plain.into_owned();
        let scoreboard = scoreboard.unwrap();
        assert_eq!(scoreboard.stats.len(), 2);
        assert_eq!(plain.without_scoreboard(), (Cow::Borrowed(&plain), None));
        assert_eq!(plain.with_scoreboard(scoreboard), Some(parts));
    }

    #[test]
    fn a_scoreboard_of_more_players_is_none_of_the_round() {
        let scoreboard = Scoreboard {
            stats: vec![None; 4],
            ..Scoreboard::default()
        };
        assert_eq!(round().with_scoreboard(scoreboard), None);
    }
}
