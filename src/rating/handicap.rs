//! Handicaps: points by which a team leads before its players count, from the map's uneven sides and from bots.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::Parameters;
use crate::domain::{BotLevel, MapName, Rating, Side, TeamBots};

/// Advantage of team a on each map with uneven sides, in points of a team's sum. Negative values favour team b.
///
/// Holds at most 256 maps, each with -10,000 to 10,000 points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Advantages(BTreeMap<MapName, i32>);

/// Ratings in points that bots count as, by the bots' level of skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotRatings(BTreeMap<BotLevel, Rating>);

impl Advantages {
    /// Maximum number of maps with an advantage for one team.
    pub const MAX: usize = 256;
    /// Maximum absolute value that a map's advantage for one team may have, in points.
    pub const MAX_POINTS: i32 = 10_000;

    /// Creates the advantages of team a from points by map.
    ///
    /// # Errors
    /// Returns a message if there are more than [`Self::MAX`] maps, or an advantage exceeds [`Self::MAX_POINTS`].
    pub fn new(points: BTreeMap<MapName, i32>) -> Result<Self, String> {
        let (most, farthest) = (Self::MAX, Self::MAX_POINTS);
        if points.len() > most {
            return Err(format!("has {} maps; name at most {most}", points.len()));
        }
        let mut all = points.iter();
        match all.find(|(_, points)| !(-farthest..=farthest).contains(*points)) {
            Some((map, _)) => Err(format!(
                "of \"{map}\" must be -{farthest} to {farthest} points"
            )),
            None => Ok(Self(points)),
        }
    }

    /// Returns `true` if no map has an advantage for a team.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the advantage of team a on `map` in points; 0 if the map is unknown or not listed.
    #[must_use]
    pub fn on(&self, map: Option<&MapName>) -> i64 {
        map.and_then(|map| self.0.get(map))
            .map_or(0, |points| i64::from(*points))
    }
}

impl BotRatings {
    /// Maximum number of bot levels in a pool.
    pub const MAX: usize = 32;

    /// Returns `true` if no level of bots has a rating.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the rating that a bot of `level` counts as, or `None` if the level is not listed.
    #[must_use]
    pub fn of(&self, level: &BotLevel) -> Option<Rating> {
        self.0.get(level).copied()
    }

    /// Iterates over the bot levels in ascending order of their names.
    #[must_use]
    pub fn levels(&self) -> impl ExactSizeIterator<Item = &BotLevel> {
        self.0.keys()
    }
}

impl Parameters {
    /// Returns the sum of the ratings of team a's bots minus that of team b's, in points. Bots of an unlisted level
    /// count as new players.
    #[must_use]
    pub fn bots_ahead(&self, bots: &TeamBots) -> i64 {
        let points = bots.iter().map(|(side, level, count)| {
            let rating = self.bots.of(level).unwrap_or(self.initial_rating);
            let points = i64::from(rating.points()) * i64::from(count);
            match side {
                Side::A => points,
                Side::B => -points,
            }
        });
        points.sum()
    }
}

impl<'de> Deserialize<'de> for Advantages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(BTreeMap::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl FromIterator<(BotLevel, Rating)> for BotRatings {
    fn from_iter<Ratings: IntoIterator<Item = (BotLevel, Rating)>>(ratings: Ratings) -> Self {
        Self(ratings.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bots_of_both_teams_add_up_and_a_map_has_its_advantage() {
        let parameters = Parameters {
            advantages: serde_json::from_str(r#"{"uphill":-300,"downhill":150}"#).unwrap(),
            bots: serde_json::from_str(r#"{"easy":600,"expert":1400}"#).unwrap(),
            ..Parameters::default()
        };
        let map: MapName = "uphill".parse().unwrap();
        let bots: TeamBots =
            serde_json::from_str(r#"{"a":{"expert":2},"b":{"easy":1,"new":1}}"#).unwrap();
        assert_eq!(parameters.bots_ahead(&bots), 2800 - 600 - 1000);
        assert_eq!(parameters.bots_ahead(&TeamBots::default()), 0);
        let unknown = "elsewhere".parse().unwrap();
        let on = [Some(&map), Some(&unknown), None].map(|map| parameters.advantages.on(map));
        assert_eq!(on, [-300, 0, 0]);
    }

    #[test]
    fn too_many_and_too_large_ones_are_refused() {
        let far = serde_json::from_str::<Advantages>(r#"{"m":10001}"#).unwrap_err();
        assert!(far.to_string().contains("of \"m\" must be -10000"), "{far}");
        let maps: Vec<String> = (0..257).map(|map| format!("\"m{map}\":1")).collect();
        let text = format!("{{{}}}", maps.join(","));
        let many = serde_json::from_str::<Advantages>(&text).unwrap_err();
        assert!(many.to_string().contains("has 257 maps"), "{many}");
        let parameters = Parameters {
            bots: serde_json::from_str(&text).unwrap(),
            ..Parameters::default()
        };
        assert_eq!(parameters.checked().unwrap_err().name, "bots");
    }
}
