//! What is believed of the maps.

use serde::{Deserialize, Serialize};

use super::observers::Belief;
use crate::domain::MapName;

/// How many maps are remembered: more than any server has in turn.
const MOST: usize = 500;

/// How far each map leans to team a, in log-odds; rounds without a map share one. In the order they were
/// played, so that the ones forgotten are those that nobody has played for longest.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Maps(Vec<(Option<MapName>, Belief)>);

impl Maps {
    /// What is believed of a map; of one that was not played yet, the prior.
    pub(super) fn get(&self, map: Option<&MapName>) -> Belief {
        let found = self.0.iter().rfind(|(name, _)| name.as_ref() == map);
        found.map_or(
            Belief {
                mean: 0.0,
                variance: 0.15 * 0.15,
            },
            |(_, belief)| *belief,
        )
    }

    /// Those with a name, the last played first.
    pub(super) fn named(&self) -> impl Iterator<Item = (&MapName, Belief)> {
        let latest = self.0.iter().rev();
        latest.filter_map(|(name, belief)| Some((name.as_ref()?, *belief)))
    }

    /// Remembers what is believed of the map that was played last.
    pub(super) fn set(&mut self, map: Option<&MapName>, belief: Belief) {
        let place = self.0.iter().rposition(|(name, _)| name.as_ref() == map);
        let name = match place {
            Some(place) => self.0.remove(place).0,
            None => map.cloned(),
        };
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push((name, belief));
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
        let learnt = Belief {
            mean: 1.0,
            variance: 0.01,
        };
        for number in 0..MOST {
            maps.set(Some(&map(number)), learnt);
        }
        maps.set(Some(&map(0)), learnt);
        maps.set(None, learnt);
        assert_eq!(maps.0.len(), MOST);
        assert_eq!(maps.get(Some(&map(0))), learnt);
        assert_eq!(maps.get(None), learnt);
        assert_eq!(maps.named().next().unwrap().0, &map(0));
        assert!(maps.get(Some(&map(1))).mean.abs() < f64::MIN_POSITIVE);
    }
}
