use std::collections::{BTreeMap, BTreeSet};

use super::{ModeName, MutatorName, Mutators, PastGame};

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

/// How much a selection of games has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Mode, and the mutators that matter.
    Set,
    /// The mode.
    Mode,
    /// Nothing.
    Anything,
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

    /// Those of `games`, in their order, that are most like `set` and enough: of the set itself, or else of its mode,
    /// or else all, however few these are.
    #[must_use]
    pub fn select<'games>(
        &self,
        games: &'games [PastGame],
        set: &GameSet,
    ) -> (Alike, Vec<&'games PastGame>) {
        let of_mode: Vec<&PastGame> = games.iter().filter(|game| game.mode == set.mode).collect();
        let of_set: Vec<&PastGame> = of_mode
            .iter()
            .copied()
            .filter(|game| self.set_of(game.mode.as_ref(), &game.mutators) == *set)
            .collect();
        let is_enough = |games: &[&PastGame]| {
            u32::try_from(games.len()).is_ok_and(|count| count >= self.least_games)
        };
        if is_enough(&of_set) {
            (Alike::Set, of_set)
        } else if is_enough(&of_mode) {
            (Alike::Mode, of_mode)
        } else {
            (Alike::Anything, games.iter().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Score, Timestamp};

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

    fn game(mode: &str, names: &[&str]) -> PastGame {
        PastGame {
            ended_at: Timestamp::UNIX_EPOCH,
            seconds: None,
            mode: Some(mode.parse().unwrap()),
            mutators: mutators(names),
            map: None,
            stats: None,
            result: Score::WIN,
            place: None,
            is_rated: true,
        }
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

    #[test]
    fn a_set_with_too_few_games_falls_back_to_its_mode_and_then_to_all() {
        let games = [
            game("ctf", &["InstaGib", "AntiCheat"]),
            game("ctf", &["InstaGib"]),
            game("ctf", &[]),
            game("dm", &[]),
        ];
        let selected = |set| {
            let (alike, games) = rules().select(&games, &set);
            (alike, games.len())
        };
        assert_eq!(selected(set("ctf", &["InstaGib"])), (Alike::Set, 2));
        assert_eq!(selected(set("ctf", &[])), (Alike::Mode, 3));
        assert_eq!(selected(set("dm", &[])), (Alike::Anything, 4));
        assert_eq!(rules().select(&[], &set("dm", &[])).1.len(), 0);
    }
}
