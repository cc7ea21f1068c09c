//! Elo of teams (A. Elo, The Rating of Chessplayers, 1978): the sums are compared as in F1, and every
//! participant moves by the same K-factor.

use super::Model;
use super::teams::{Ratings, outcome};
use crate::domain::{Probability, Round, Side};

/// The K-factor, in points: what chess federations give players who are not new.
const K: f64 = 32.0;

#[derive(Debug)]
pub(super) struct Elo {
    theta: f64,
    ratings: Ratings<Points>,
}

/// Points above a new player's rating.
#[derive(Clone, Copy, Debug)]
struct Points(f64);

impl Elo {
    pub(super) fn new(theta: f64) -> Self {
        Self {
            theta,
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
        let predicted =
            super::teams::probability(1.0 / (1.0 + libm::exp((sum_b - sum_a) / self.theta)));
        if let Some([a, b]) = self.ratings.participants(round) {
            let miss = outcome(round).to_chess_points() - predicted.of(Side::A).get();
            let moved = |team: Vec<Points>, step: f64| {
                team.into_iter()
                    .map(|Points(points)| Points(points + step))
                    .collect()
            };
            self.ratings
                .set(round, [moved(a, K * miss), moved(b, -K * miss)]);
        }
        predicted
    }
}
