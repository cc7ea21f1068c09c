use std::cmp::Reverse;
use std::collections::VecDeque;

use super::{Engine, EngineError, Entry, PastTotals, PlayerState};
use crate::domain::{PlayerId, PlayerSet, Timestamp};
use crate::rating::{Parameters, TotalsStep, Window, boundaries, rounds_since_return};

#[derive(Debug)]
pub(super) struct HeldPlayer {
    pub(super) record: PlayerState,
    pub(super) totals: PastTotals,
    /// End times of the player's last rated rounds, in the order of the log.
    pub(super) ended: VecDeque<Timestamp>,
    /// Time at which the engine of ratings last loaded, rated or changed the player, as a count of its
    /// [`clock`](super::Engine::clock).
    pub(super) used: u64,
}

impl HeldPlayer {
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.totals.size() + self.ended.capacity() * size_of::<Timestamp>()
    }

    pub(super) fn window(&mut self, parameters: &Parameters) -> Result<Window, EngineError> {
        self.record
            .window(parameters, |number| self.totals.at(number))
    }

    /// Returns the number of rounds since the player's return, for a round that ended at `at`. Rounds before a reset do
    /// not count.
    pub(super) fn since_return(&self, at: Timestamp, parameters: &Parameters) -> Option<u32> {
        let since_reset = usize::try_from(self.record.rounds).unwrap_or(usize::MAX);
        let before = self.ended.len().saturating_sub(since_reset);
        rounds_since_return(self.ended.range(before..).copied(), at, parameters)
    }

    /// Appends a rated round that ended at `at`. `after` is the player after this round. Keeps the end times of the
    /// player's last `times` rounds.
    pub(super) fn take(
        &mut self,
        after: PlayerState,
        step: TotalsStep,
        at: Timestamp,
        times: usize,
    ) {
        self.ended.push_back(at);
        while self.ended.len() > times {
            self.ended.pop_front();
        }
        self.totals.push(step);
        self.record = after;
    }

    /// Returns the numbers of the player's earlier rated rounds that are not in memory, but needed to rate the player's
    /// next `rated` rounds. `window` is the length of the player's window in rounds, and `times` the number of needed
    /// end times.
    pub(super) fn missing_entries(
        &self,
        rated: u32,
        window: u32,
        times: usize,
    ) -> impl Iterator<Item = u64> + '_ {
        let ends = |later: u32| {
            let (entries, rounds) = (self.record.entries, self.record.rounds);
            boundaries(
                entries + u64::from(later),
                rounds.saturating_add(later),
                window,
            )
        };
        // Each round leaves a boundary in place or advances the boundary by one entry.
        let (first, last) = (ends(0), ends(rated.saturating_sub(1)));
        let totals = (first.start..=last.start)
            .chain(first.old_end..=last.old_end)
            .chain(first.new_start..=last.new_start)
            .filter(|number| *number > 0 && !self.totals.holds(*number));
        let entries = self.record.entries;
        let since_reset = usize::try_from(self.record.rounds).unwrap_or(usize::MAX);
        let oldest = entries.saturating_sub(times.min(since_reset) as u64) + 1;
        let ended = oldest..=entries.saturating_sub(self.ended.len() as u64);
        totals.chain(ended).filter(move |_| rated > 0)
    }

    /// Prepends consecutive rated rounds that are older than the player's rounds in memory. Of consecutive runs, the
    /// later run must be added first.
    pub(super) fn add_older(&mut self, run: &[Entry], times: usize) {
        for entry in run.iter().rev() {
            let held = self.ended.len();
            if held < times && entry.number + held as u64 == self.record.entries {
                self.ended.push_front(entry.ended_at);
            }
        }
        self.totals.add_older(run);
    }
}

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
