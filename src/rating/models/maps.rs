use serde::{Deserialize, Serialize};

use crate::domain::MapName;

/// Maximum number of maps for which a rating model keeps a record, more than the map rotation of any server.
const MAX: usize = 500;

/// Record that a rating model keeps of each map, such as the map's advantage for team a. Records are in the order in
/// which the maps were last played. Rounds without a map share one record. The least recently played map is evicted
/// first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Maps<T>(Vec<(Option<MapName>, T)>);

impl<T> Default for Maps<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Maps<T> {
    /// Returns the model's record of a map, such as its advantage for team a, or `None` for a map that was not played
    /// yet.
    pub(super) fn get(&self, map: Option<&MapName>) -> Option<&T> {
        let found = self.0.iter().rfind(|(name, _)| name.as_ref() == map);
        found.map(|(_, known)| known)
    }

    /// Iterates over the model's records of maps with a name, the last played map first.
    pub(super) fn named(&self) -> impl Iterator<Item = (&MapName, &T)> {
        self.0
            .iter()
            .rev()
            .filter_map(|(name, known)| Some((name.as_ref()?, known)))
    }

    /// Stores the model's record of the map that was just played, such as the map's advantage for team a.
    pub(super) fn set(&mut self, map: Option<&MapName>, known: T) {
        let place = self.0.iter().rposition(|(name, _)| name.as_ref() == map);
        let name = match place {
            Some(place) => self.0.remove(place).0,
            None => map.cloned(),
        };
        if self.0.len() == MAX {
            self.0.remove(0);
        }
        self.0.push((name, known));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(number: usize) -> MapName {
        format!("map-{number}").parse().unwrap()
    }

    #[test]
    fn the_map_that_nobody_has_played_for_longest_is_forgotten() {
        let mut maps = Maps::default();
        for number in 0..MAX {
            maps.set(Some(&map(number)), number);
        }
        maps.set(Some(&map(0)), 1_000);
        maps.set(None, 2_000);
        assert_eq!(maps.0.len(), MAX);
        assert_eq!(maps.get(Some(&map(0))), Some(&1_000));
        assert_eq!(maps.get(None), Some(&2_000));
        assert_eq!(maps.named().next().unwrap().0, &map(0));
        assert_eq!(maps.get(Some(&map(1))), None);
    }
}
