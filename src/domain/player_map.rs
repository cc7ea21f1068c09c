use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::PlayerId;

/// Something for each of some players.
///
/// # Design
/// A replay of rounds looks up the player of every result several times, and would spend a tenth of its time in the hash
/// of the standard library, which withstands keys that an attacker chose. Players' ids are numbers that Steam gives out,
/// and come from game servers and admins, so a quick hash with a random seed does.
pub type PlayerMap<T> = HashMap<PlayerId, T, RandomState>;

/// Some players.
pub type PlayerSet = HashSet<PlayerId, RandomState>;
