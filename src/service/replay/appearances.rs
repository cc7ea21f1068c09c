use std::collections::BTreeSet;

use crate::domain::{PlayerId, PlayerMap, PlayerSet, Report};

/// Who stands in what is computed next, how often each is rated in it at most, and by windows of which lengths.
#[derive(Debug, Default)]
pub(crate) struct Appearances {
    rated: PlayerMap<u32>,
    windows: BTreeSet<u32>,
}

impl Appearances {
    /// Those in `rounds`, all rated by windows of that length.
    pub(crate) fn in_rounds(rounds: &[&Report], window: u32) -> Self {
        let mut appearances = Self::default();
        for round in rounds {
            appearances.add_round(round);
        }
        appearances.windows.insert(window);
        appearances
    }

    /// Adds a round.
    pub(super) fn add_round(&mut self, round: &Report) {
        // Who is not rated only counts into a sum.
        for (_, entry) in round.entries() {
            *self.rated.entry(entry.id).or_default() += u32::from(entry.is_rated());
        }
    }

    /// Notes that rounds are rated by windows of that length.
    pub(super) fn add_window(&mut self, window: u32) {
        self.windows.insert(window);
    }

    /// Adds a player who is looked at or changed, and not rated.
    pub(super) fn add_player(&mut self, player: PlayerId) {
        self.rated.entry(player).or_default();
    }

    /// Leaves those `players` out.
    pub(super) fn remove(&mut self, players: &PlayerSet) {
        self.rated.retain(|player, _| !players.contains(player));
    }

    /// The players, in no particular order.
    pub(crate) fn players(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.rated.keys().copied()
    }

    /// The same with how often each is rated.
    pub(super) fn rated(&self) -> impl Iterator<Item = (PlayerId, u32)> + '_ {
        self.rated.iter().map(|(player, rated)| (*player, *rated))
    }

    /// The lengths of the windows, in rounds.
    pub(super) fn windows(&self) -> impl Iterator<Item = u32> + '_ {
        self.windows.iter().copied()
    }
}

impl FromIterator<PlayerId> for Appearances {
    /// Players of whom none is rated.
    fn from_iter<I: IntoIterator<Item = PlayerId>>(players: I) -> Self {
        let mut appearances = Self::default();
        for player in players {
            appearances.add_player(player);
        }
        appearances
    }
}
