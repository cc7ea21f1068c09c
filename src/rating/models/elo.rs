//! Elo of teams (A. Elo, The Rating of Chessplayers, 1978): the sums are compared as in F1, and every
//! participant moves by the same K-factor.

use super::teams::{Ratings, above_new, outcome, probability};
use super::{Constant, Model};
use crate::domain::{PlayerId, Probability, Rating, Round, Side};

/// The K-factor, in points: what chess federations give players who are not new.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("k", 32.0, 16.0)];

#[derive(Debug)]
pub(super) struct Elo {
    theta: f64,
    k: f64,
    ratings: Ratings<Points>,
}

/// Points above a new player's rating.
#[derive(Clone, Copy, Debug)]
struct Points(f64);

impl Elo {
    pub(super) fn new(theta: f64, [k]: [f64; 1]) -> Self {
        Self {
            theta,
            k,
            ratings: Ratings::new(Points(0.0)),
        }
    }
}

impl Model for Elo {
    fn rate(&mut self, round: &Round) -> Probability {
        let [sum_a, sum_b] = self
            .ratings
            .rosters(round)
            .map(|team| team.iter().map(|Points(points)| points).sum::<f64>());
        let predicted = probability(1.0 / (1.0 + libm::exp((sum_b - sum_a) / self.theta)));
        if let Some([a, b]) = self.ratings.participants(round) {
            let miss = outcome(round).to_chess_points() - predicted.of(Side::A).get();
            let moved = |team: Vec<Points>, step: f64| {
                team.into_iter()
                    .map(|Points(points)| Points(points + step))
                    .collect()
            };
            self.ratings
                .set(round, [moved(a, self.k * miss), moved(b, -self.k * miss)]);
        }
        predicted
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let Points(points) = self.ratings.get(player);
        above_new(points)
    }
}
