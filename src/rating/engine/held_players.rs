use std::cmp::Reverse;
use std::collections::VecDeque;

use super::held_player::HeldPlayer;
use super::{Engine, Entry, PastTotals, PlayerState};
use crate::domain::{PlayerId, PlayerSet, Timestamp};

impl Engine {
    /// Puts a player into memory. For the player's last rated rounds, `totals` has the running sums of ratings, win
    /// probabilities and scores, and `ended` the end times.
    pub fn hold(&mut self, record: PlayerState, totals: PastTotals, ended: VecDeque<Timestamp>) {
        let held = HeldPlayer {
            totals,
            ended,
            used: self.clock,
            record,
        };
        self.players.insert(held.record.id, Box::new(held));
    }

    /// Copies `players` from the engine `other`, except players that this engine has in memory already.
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

    /// Takes over older rated rounds from the engine `other` without a copy: rounds before `position` of the log, of
    /// players in both engines.
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

    /// Moves all players of the engine `other` into this one. For a player in both, the state in this engine stays.
    pub fn take_in(&mut self, other: &mut Self) {
        for (player, mut held) in other.players.drain() {
            held.used = self.clock;
            self.players.entry(player).or_insert(held);
        }
    }

    /// Returns the numbers of the player's earlier rated rounds that are not in memory, but needed to rate the player's
    /// next `rated` rounds by windows of `window` rounds. A number may repeat. A player who is not in memory has no
    /// missing rounds.
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

    /// Inserts older rated rounds of players in memory. Each run contains consecutive rounds of one player.
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

    /// Estimates the size of all players in memory, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let held = self.players.values().map(|held| held.size());
        held.sum::<usize>() + self.players.capacity() * size_of::<(PlayerId, Box<HeldPlayer>)>()
    }

    /// Estimates the size in memory of a player with a full window, in bytes.
    #[must_use]
    pub fn largest_player(&self) -> u64 {
        let ended = self.times * size_of::<Timestamp>();
        (size_of::<HeldPlayer>() + ended) as u64 + PastTotals::largest_size(self.longest_window)
    }

    /// Returns the number of rounds and changes that the engine has applied, the time scale of evictions.
    #[must_use]
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Evicts the least recently used half of the players from memory, and returns them. The iterator frees the memory
    /// of each player as it advances.
    pub fn evict_half(&mut self) -> impl ExactSizeIterator<Item = PlayerState> + use<> {
        self.evict_half_until(self.clock)
    }

    /// Evicts players like [`Engine::evict_half`], but keeps players used after `last`, a time of [`Engine::clock`].
    pub fn evict_half_until(
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
        let evicted: Vec<(PlayerId, Box<HeldPlayer>)> = self
            .players
            .extract_if(|_, held| held.used <= last)
            .collect();
        evicted.into_iter().map(|(_, held)| held.record)
    }
}
