//! Formulas F1 to F5 as published: lists and means in place of running sums, slow and plain.

use std::collections::HashMap;

use rbs::domain::{PlayerId, Probability, Rating, Side};
use rbs::rating::{ChangeKind, Parameters};
use rbs::store::RecordedRound;

use super::history::Event;
use crate::rating::definition::{direct_convergence, direct_k};
use crate::rating::generate::Entry;

/// Tolerance for sums in another order.
const CLOSE: f64 = 1e-9;

/// All rounds of a player since the last reset.
#[derive(Clone, Debug)]
struct History {
    rating: Rating,
    rounds: Vec<Entry>,
}

pub struct Formulas {
    parameters: Parameters,
    players: HashMap<PlayerId, History>,
}

impl Formulas {
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            parameters: parameters.clone(),
            players: HashMap::new(),
        }
    }

    pub fn set_window(&mut self, window: u32) {
        self.parameters.window = window;
    }

    /// Rates `events` again, and compares with the service's answers.
    pub fn check(&mut self, events: &[Event], outcomes: &[Result<(RecordedRound, bool), String>]) {
        let mut outcomes = outcomes.iter();
        for event in events {
            match event {
                Event::Change(_, id, ChangeKind::Reset) => {
                    self.players.remove(id);
                }
                Event::Change(_, id, ChangeKind::Set(rating)) => {
                    let mut player = self.player(*id);
                    player.rating = *rating;
                    self.players.insert(*id, player);
                }
                Event::Round(_) => {
                    let outcome = outcomes.next().expect("an outcome for each round");
                    if let Ok((recorded, false)) = outcome {
                        self.check_round(recorded);
                    }
                }
            }
        }
        assert!(outcomes.next().is_none(), "an outcome without a round");
    }

    /// Compares the preview of a player's next round.
    pub fn check_next(&self, id: PlayerId, k: f64, convergence: f64) {
        let player = self.player(id);
        let expected = self.convergence(&player);
        let is_close = (convergence - expected).abs() < CLOSE;
        assert!(is_close, "{id}: C {convergence}, not {expected}");
        let expected = self.k(&player);
        assert!((k - expected).abs() < CLOSE, "{id}: K {k}, not {expected}");
    }

    fn player(&self, id: PlayerId) -> History {
        self.players.get(&id).cloned().unwrap_or_else(|| History {
            rating: self.parameters.initial_rating,
            rounds: Vec::new(),
        })
    }

    fn check_round(&mut self, recorded: &RecordedRound) {
        let name = recorded.logged.round.parts().round_id.clone();
        let sum = |side| -> f64 {
            let entries = recorded.logged.round.entries();
            entries
                .filter(|(of, entry)| *of == side && entry.at_start)
                .map(|(_, entry)| f64::from(self.player(entry.id).rating.points()))
                .sum()
        };
        let difference = sum(Side::A) - sum(Side::B);
        let for_a = 1.0 / (1.0 + (-difference / self.parameters.theta).exp());
        let answered = recorded.result.win_probability.get();
        let is_close = (answered - for_a).abs() < CLOSE;
        assert!(is_close, "{name}: P {answered}, not {for_a}");

        let entries = recorded.logged.round.entries();
        let rated = entries.filter(|(_, entry)| entry.participated);
        let mut after = Vec::new();
        for ((side, entry), result) in rated.zip(&recorded.result.players) {
            let player = self.player(entry.id);
            let k = self.k(&player);
            let who = format!("{name}, {}", entry.id);
            let answered = result.k;
            assert!((answered - k).abs() < CLOSE, "{who}: K {answered}, not {k}");
            assert_eq!(result.before, player.rating, "{who}");
            let expected = if side == Side::A { for_a } else { 1.0 - for_a };
            let score = recorded.logged.round.parts().winner.score(side);
            let before = f64::from(player.rating.points());
            let mut rating = (before + k * (score.value() - expected)).round_ties_even();
            let rounds = player.rounds.len() + 1;
            if rounds == self.parameters.shadow_rounds as usize {
                rating = rating.min(f64::from(self.parameters.graduation_cap.points()));
            }
            rating = rating.max(f64::from(self.parameters.min_rating.points()));
            assert_eq!(f64::from(result.after.points()), rating, "{who}");
            assert_eq!(result.rounds as usize, rounds, "{who}");
            let is_visible = rounds >= self.parameters.shadow_rounds as usize;
            assert_eq!(result.visible, is_visible, "{who}");
            let round = Entry {
                after: result.after,
                expected: Probability::new(expected).expect("a probability"),
                score,
            };
            after.push((entry.id, round));
        }
        for (id, round) in after {
            let mut player = self.player(id);
            player.rating = round.after;
            player.rounds.push(round);
            self.players.insert(id, player);
        }
    }

    fn k(&self, player: &History) -> f64 {
        direct_k(player.rating, self.convergence(player), &self.parameters)
    }

    fn convergence(&self, player: &History) -> f64 {
        let window = self.parameters.window as usize;
        let from = player.rounds.len().saturating_sub(window);
        direct_convergence(&player.rounds[from..], &self.parameters)
    }
}
