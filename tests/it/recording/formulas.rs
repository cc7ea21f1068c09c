//! Formulas F1 to F5 as published: lists and means in place of running sums, slow and plain.

use std::collections::HashMap;

use rbs::domain::{PlayerId, Side};
use rbs::rating::{ChangeKind, Parameters};
use rbs::store::RecordedRound;

use super::history::Event;

/// Tolerance for sums in another order.
const CLOSE: f64 = 1e-9;

/// All rounds of a player since the last reset.
#[derive(Clone, Debug, Default)]
struct History {
    rating: f64,
    /// Rating after, win probability and score of each round.
    rounds: Vec<(f64, f64, f64)>,
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
                    player.rating = f64::from(rating.points());
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
        assert!(
            (convergence - expected).abs() < CLOSE,
            "{id}: C {convergence}, not {expected}"
        );
        let expected = self.k(&player);
        assert!((k - expected).abs() < CLOSE, "{id}: K {k}, not {expected}");
    }

    fn player(&self, id: PlayerId) -> History {
        self.players.get(&id).cloned().unwrap_or_else(|| History {
            rating: f64::from(self.parameters.initial_rating.points()),
            rounds: Vec::new(),
        })
    }

    fn check_round(&mut self, recorded: &RecordedRound) {
        let name = recorded.logged.round.parts().round_id.clone();
        let sum = |side| -> f64 {
            recorded
                .logged
                .round
                .entries()
                .filter(|(of, entry)| *of == side && entry.at_start)
                .map(|(_, entry)| self.player(entry.id).rating)
                .sum()
        };
        let difference = sum(Side::A) - sum(Side::B);
        let for_a = 1.0 / (1.0 + (-difference / self.parameters.theta).exp());
        let answered = recorded.result.win_probability.get();
        assert!(
            (answered - for_a).abs() < CLOSE,
            "{name}: P {answered}, not {for_a}"
        );

        let rated = recorded
            .logged
            .round
            .entries()
            .filter(|(_, entry)| entry.participated);
        let mut after = Vec::new();
        for ((side, entry), result) in rated.zip(&recorded.result.players) {
            let player = self.player(entry.id);
            let k = self.k(&player);
            assert!(
                (result.k - k).abs() < CLOSE,
                "{name}, {}: K {}, not {k}",
                entry.id,
                result.k
            );
            assert_eq!(f64::from(result.before.points()), player.rating, "{name}");
            let expected = if side == Side::A { for_a } else { 1.0 - for_a };
            let score = recorded.logged.round.parts().winner.score(side).value();
            let mut rating = (player.rating + k * (score - expected)).round_ties_even();
            let rounds = player.rounds.len() + 1;
            if rounds == self.parameters.shadow_rounds as usize {
                rating = rating.min(f64::from(self.parameters.graduation_cap.points()));
            }
            rating = rating.max(f64::from(self.parameters.min_rating.points()));
            assert_eq!(
                f64::from(result.after.points()),
                rating,
                "{name}, {}",
                entry.id
            );
            assert_eq!(result.rounds as usize, rounds, "{name}, {}", entry.id);
            assert_eq!(
                result.visible,
                rounds >= self.parameters.shadow_rounds as usize
            );
            after.push((entry.id, rating, (rating, expected, score)));
        }
        for (id, rating, round) in after {
            let mut player = self.player(id);
            player.rating = rating;
            player.rounds.push(round);
            self.players.insert(id, player);
        }
    }

    fn k(&self, player: &History) -> f64 {
        let parameters = &self.parameters;
        let distance = player.rating - f64::from(parameters.initial_rating.points());
        let compression = (-distance.powi(2) / (2.0 * parameters.sigma.powi(2))).exp();
        let range = parameters.k_max - parameters.k_min;
        parameters.k_min + range * self.convergence(player) * compression
    }

    fn convergence(&self, player: &History) -> f64 {
        let parameters = &self.parameters;
        let from = player
            .rounds
            .len()
            .saturating_sub(parameters.window as usize);
        let window = &player.rounds[from..];
        if window.is_empty() {
            return 1.0;
        }
        let ratings: Vec<f64> = window.iter().map(|(rating, _, _)| *rating).collect();
        let half = ratings.len() / 2;
        let drift = if half == 0 {
            0.0
        } else {
            (mean(&ratings[ratings.len() - half..]) - mean(&ratings[..half])).abs()
        };
        let scores: Vec<f64> = window.iter().map(|(_, _, score)| *score).collect();
        let expected: Vec<f64> = window.iter().map(|(_, expected, _)| *expected).collect();
        let excess = (mean(&scores) - mean(&expected)).abs();
        let middle = mean(&ratings);
        let squares: Vec<f64> = ratings.iter().map(|w| (w - middle).powi(2)).collect();
        let weighted = parameters.weight_velocity * drift / parameters.k_max
            + parameters.weight_win_rate * excess / parameters.win_rate_tolerance
            + parameters.weight_volatility * mean(&squares).sqrt() / parameters.k_max;
        weighted.min(1.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "lists are short")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
