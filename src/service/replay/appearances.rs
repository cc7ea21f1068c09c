use std::collections::BTreeSet;

use crate::domain::{PlayerId, PlayerMap, PlayerSet, Report};
use crate::rating::Engine;
use crate::store::EntryChunk;

/// Players whom the next log entries to compute concern, each with the number of rated rounds in these entries. Also
/// holds the lengths of the windows in force: how many latest rounds of a player determine the K-factor.
#[derive(Debug, Default)]
pub(crate) struct Appearances {
    rated: PlayerMap<u32>,
    windows: BTreeSet<u32>,
}

impl Appearances {
    /// Collects the players of `rounds`, all rated with a window of `window` rounds.
    pub(crate) fn in_rounds(rounds: &[&Report], window: u32) -> Self {
        let mut appearances = Self::default();
        for round in rounds {
            appearances.add_round(round);
        }
        appearances.windows.insert(window);
        appearances
    }

    pub(super) fn add_round(&mut self, round: &Report) {
        // An unrated player is loaded too, because the player counts in the team's sum.
        for (_, entry) in round.entries() {
            *self.rated.entry(entry.id).or_default() += u32::from(entry.is_rated());
        }
    }

    pub(super) fn add_window(&mut self, window: u32) {
        self.windows.insert(window);
    }

    /// Adds a player whom the next log entries read or change, but do not rate.
    pub(super) fn add_player(&mut self, player: PlayerId) {
        self.rated.entry(player).or_default();
    }

    pub(super) fn remove(&mut self, players: &PlayerSet) {
        self.rated.retain(|player, _| !players.contains(player));
    }

    pub(crate) fn players(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.rated.keys().copied()
    }

    /// Returns the rows of older rounds that the engine lacks to rate these players: player and row number, ascending.
    pub(super) fn missing_rows(&self, engine: &Engine) -> BTreeSet<(PlayerId, u64)> {
        self.rated
            .iter()
            .flat_map(|(player, rated)| {
                self.windows.iter().flat_map(|window| {
                    engine
                        .missing_entries(*player, *rated, *window)
                        .map(|number| (*player, EntryChunk::of(number)))
                })
            })
            .collect()
    }
}

impl FromIterator<PlayerId> for Appearances {
    /// Collects players whose state a replay must read although the next log entries do not rate these players.
    fn from_iter<I: IntoIterator<Item = PlayerId>>(players: I) -> Self {
        let mut appearances = Self::default();
        for player in players {
            appearances.add_player(player);
        }
        appearances
    }
}
