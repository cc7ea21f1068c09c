//! SynElo, F1 to F5, as the service computes it.

use std::collections::{HashMap, VecDeque};

use super::Model;
use crate::domain::{PlayerId, Probability, Rating, Round, Side};
use crate::rating::{
    Parameters, Standing, Step, Totals, Window, boundaries, participation_weight, rate,
    win_probability,
};

#[derive(Debug)]
pub(super) struct SynElo {
    parameters: Parameters,
    players: HashMap<PlayerId, Player>,
}

#[derive(Debug)]
struct Player {
    rating: Rating,
    rounds: u32,
    /// The totals after each of the last W rounds, and before the first of them.
    totals: VecDeque<Totals>,
}

impl Player {
    fn new(parameters: &Parameters) -> Self {
        Self {
            rating: parameters.initial_rating,
            rounds: 0,
            totals: VecDeque::from([Totals::default()]),
        }
    }

    fn window(&self, parameters: &Parameters) -> Window {
        let entries = u64::from(self.rounds);
        let ends = boundaries(entries, self.rounds, parameters.window);
        let first = (entries + 1).saturating_sub(self.totals.len() as u64);
        let at = |number: u64| {
            let index = usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX);
            self.totals.get(index).copied().unwrap_or_default()
        };
        Window::between(
            ends,
            at(ends.start),
            at(ends.old_end),
            at(ends.new_start),
            at(entries),
        )
    }

    fn take(&mut self, rating: Rating, step: Step, window: u32) {
        let last = self.totals.back().copied().unwrap_or_default();
        self.totals.push_back(last.with(step));
        if self.totals.len() as u64 > u64::from(window) + 1 {
            self.totals.pop_front();
        }
        self.rating = rating;
        self.rounds += 1;
    }
}

impl SynElo {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            players: HashMap::new(),
        }
    }

    fn sum(&self, round: &Round, side: Side) -> i64 {
        let entries = round.entries();
        let roster = entries.filter(|(of, entry)| *of == side && entry.at_start);
        let ratings = roster.map(|(_, entry)| self.rating(entry.id));
        ratings.map(|rating| i64::from(rating.points())).sum()
    }
}

impl Model for SynElo {
    fn rate(&mut self, round: &Round) -> Probability {
        let parameters = &self.parameters;
        let (sum_a, sum_b) = (self.sum(round, Side::A), self.sum(round, Side::B));
        let for_a = win_probability(sum_a, sum_b, parameters.theta);
        let parts = round.parts();
        for (side, entry) in round.participants() {
            let player = self.players.entry(entry.id);
            let player = player.or_insert_with(|| Player::new(parameters));
            let (expected, score) = (for_a.of(side), parts.winner.score(side));
            let presence = entry.presence(parts.round_seconds);
            let weight = presence.map_or(1.0, |presence| {
                participation_weight(presence, parameters.participation_half_life)
            });
            let standing = Standing {
                rating: player.rating,
                rounds: player.rounds,
                window: player.window(parameters),
            };
            let rated = rate(&standing, expected, score, weight, parameters);
            let step = Step::of(rated.rating, expected, score);
            player.take(rated.rating, step, parameters.window);
        }
        for_a
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let known = self.players.get(&player);
        known.map_or(self.parameters.initial_rating, |player| player.rating)
    }
}
