//! Elo rating model for teams (A. Elo, The Rating of Chessplayers, 1978). The predicted win probability (formula F1)
//! follows from the difference of the teams' sums of points above a new player. Every participant moves by the same
//! K-factor.

use skillratings::Outcomes;

use super::plain::Skill;
use super::teams::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Share};
use crate::rating::probability::logistic;

/// K-factor of the Elo model in points, as chess federations give to players who are not new.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("k", 32.0, 16.0)];

pub(super) fn config([k]: [f64; 1]) -> f64 {
    k
}

/// Strength of a player in points above a new player's rating.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elo(f64);

impl Skill for Elo {
    const NAME: ModelName = ModelName::Elo;

    type Config = f64;

    fn usual() -> f64 {
        config(CONSTANTS.map(|constant| constant.value))
    }

    fn new(_: &f64) -> Self {
        Self(0.0)
    }

    fn numbers(self) -> [f64; 3] {
        [self.0, 0.0, 0.0]
    }

    fn of_numbers([points, ..]: [f64; 3]) -> Self {
        Self(points)
    }

    fn points(self) -> f64 {
        self.0
    }

    fn moved(self, points: f64) -> Self {
        Self(self.0 + points)
    }

    fn deviation(self) -> Option<f64> {
        None
    }

    fn widened(self, _: Share, _: Self) -> Self {
        self
    }

    fn predict(teams: [&[Self]; 2], _: &f64, theta: f64, ahead: f64) -> Probability {
        let [a, b] = teams.map(|team| sum(team.iter().map(|Self(points)| *points)));
        logistic((a - b + ahead) / theta)
    }

    fn learn(teams: [&[Self]; 2], outcome: Outcomes, expected: f64, k: &f64) -> [Vec<Self>; 2] {
        let miss = outcome.to_chess_points() - expected;
        let [a, b] = teams;
        let moved =
            |team: &[Self], step: f64| team.iter().map(|player| player.moved(step)).collect();
        [moved(a, k * miss), moved(b, -k * miss)]
    }
}
