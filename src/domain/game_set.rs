use std::collections::{BTreeMap, BTreeSet};

use super::{ModeName, MutatorName, Mutators};

/// Games that are played alike: of one mode, with the same of the mutators that matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameSet {
    /// The mode; `None` for the games of which none was reported.
    pub mode: Option<ModeName>,
    /// Of the mutators those that matter in it.
    pub mutators: Mutators,
}

/// Which of a player's games are like the one to be played, and from how many on that suffices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetRules {
    /// The mutators that matter in modes that `by_mode` does not name.
    pub mutators: BTreeSet<MutatorName>,
    /// Those that matter in single modes.
    pub by_mode: BTreeMap<ModeName, BTreeSet<MutatorName>>,
    /// Of fewer games than so many, a wider selection takes the place.
    pub least_games: u32,
}

impl SetRules {
    /// The set that a round of that mode with those mutators belongs to. Mutators that do not matter are left out.
    #[must_use]
    pub fn set_of(&self, mode: Option<&ModeName>, mutators: &Mutators) -> GameSet {
        let own = mode.and_then(|mode| self.by_mode.get(mode));
        GameSet {
            mode: mode.cloned(),
            mutators: mutators.those_of(own.unwrap_or(&self.mutators)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> SetRules {
        let names = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect();
        SetRules {
            mutators: names(&["InstaGib", "low gravity"]),
            by_mode: [("ctf".parse().unwrap(), names(&["InstaGib"]))].into(),
            least_games: 2,
        }
    }

    fn mutators(names: &[&str]) -> Mutators {
        Mutators::new(names.iter().map(|name| name.parse().unwrap())).unwrap()
    }

    fn set(mode: &str, names: &[&str]) -> GameSet {
        rules().set_of(Some(&mode.parse().unwrap()), &mutators(names))
    }

    #[test]
    fn mutators_that_do_not_matter_are_left_out_by_mode() {
        let all = ["AntiCheat", "InstaGib", "low gravity"];
        assert_eq!(set("ctf", &all).mutators, mutators(&["InstaGib"]));
        assert_eq!(
            set("dm", &all).mutators,
            mutators(&["InstaGib", "low gravity"])
        );
        assert_eq!(set("dm", &["AntiCheat"]), set("dm", &[]));
        assert_ne!(set("dm", &[]), set("ctf", &[]));
    }
}
