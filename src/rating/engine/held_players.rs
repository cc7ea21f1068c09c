//! The players that an engine holds: taken in, shared between engines, and forgotten.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::held_player::HeldPlayer;
use super::{Engine, Entry, PastTotals, PlayerState};
use crate::domain::{PlayerId, PlayerSet, Timestamp};

impl Engine {
    /// Takes in a player, with the totals after the player's last rounds and the times at which these rounds `ended`.
    pub fn hold(&mut self, record: PlayerState, totals: PastTotals, ended: VecDeque<Timestamp>) {
        let held = HeldPlayer {
            totals,
            ended,
            used: self.clock,
            record,
        };
        self.players.insert(held.record.id, Box::new(held));
    }

    /// Copies players from `other`, except those who are held already.
    pub fn adopt(&mut self, players: &PlayerSet, other: &Self) {
        for player in players {
            if let Some(held) = other.players.get(player)
                && !self.players.contains_key(player)
            {
                let (record, totals) = (held.record.clone(), held.totals.clone());
                self.hold(record, totals, held.ended.clone());
            }
        }
    }

    /// Shares older entries with `other`: those before `position` of the log, of players whom both engines hold.
    pub fn share_older(
        &mut self,
        players: impl Iterator<Item = PlayerId>,
        other: &Self,
        position: u64,
    ) {
        for player in players {
            if let Some(held) = self.players.get_mut(&player)
                && let Some(other) = other.players.get(&player)
            {
                held.totals.share_older(&other.totals, position);
            }
        }
    }

    /// Moves all players of `other` into this engine. A player whom both hold stays as this engine has the player.
    pub fn take_in(&mut self, other: &mut Self) {
        for (player, mut held) in other.players.drain() {
            held.used = self.clock;
            self.players.entry(player).or_insert(held);
        }
    }

    /// Returns the numbers of the older entries of `player` that the engine lacks to rate the player up to `rated` times by
    /// windows of `window` rounds. A number may come several times; of a player who is not held there is none.
    pub fn missing_entries(
        &self,
        player: PlayerId,
        rated: u32,
        window: u32,
    ) -> impl Iterator<Item = u64> + '_ {
        self.players
            .get(&player)
            .into_iter()
            .flat_map(move |held| held.missing_entries(rated, window, self.times))
    }

    /// Takes in older entries of players who are held: each item is a run of entries of one player without a gap.
    pub fn add_older(&mut self, mut runs: Vec<Vec<Entry>>) {
        runs.sort_unstable_by_key(|run| {
            Reverse(run.first().map(|first| (first.player, first.number)))
        });
        for run in runs {
            if let Some(held) = run
                .first()
                .and_then(|first| self.players.get_mut(&first.player))
            {
                held.add_older(&run, self.times);
            }
        }
    }

    /// Estimates the bytes that the players take.
    #[must_use]
    pub fn size(&self) -> usize {
        let held = self.players.values().map(|held| held.size());
        held.sum::<usize>() + self.players.capacity() * size_of::<(PlayerId, Box<HeldPlayer>)>()
    }

    /// Estimates the bytes of a player whose whole window is held.
    #[must_use]
    pub fn largest_player(&self) -> u64 {
        let ended = self.times * size_of::<Timestamp>();
        (size_of::<HeldPlayer>() + ended) as u64 + PastTotals::largest_size(self.longest_window)
    }

    /// Number of rounds and changes so far.
    #[must_use]
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Evicts the least recently used half of the players, and returns them. Their memory is freed one by one as the
    /// iterator advances.
    pub fn forget_half(&mut self) -> impl ExactSizeIterator<Item = PlayerState> + use<> {
        self.forget_half_until(self.clock)
    }

    /// Like [`Engine::forget_half`], but keeps players who were used after the time `last` of [`Engine::clock`].
    pub fn forget_half_until(
        &mut self,
        last: u64,
    ) -> impl ExactSizeIterator<Item = PlayerState> + use<> {
        let mut used: Vec<u64> = self.players.values().map(|held| held.used).collect();
        let middle = used.len() / 2;
        let last = if used.is_empty() {
            last
        } else {
            last.min(*used.select_nth_unstable(middle).1)
        };
        let forgotten: Vec<(PlayerId, Box<HeldPlayer>)> = self
            .players
            .extract_if(|_, held| held.used <= last)
            .collect();
        forgotten.into_iter().map(|(_, held)| held.record)
    }
}
