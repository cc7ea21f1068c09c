//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::Outcomes;
use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, expected_score_two_teams, weng_lin_two_teams,
};

use super::plain::{POINTS_OF_25, Skill};
use super::{Constant, ModelName};

/// How much chance a player's play has, against a new player's deviation of 25/3.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("beta", 25.0 / 6.0, 16.0)];

/// What the constant makes.
pub(super) fn config([beta]: [f64; 1]) -> WengLinConfig {
    WengLinConfig {
        beta,
        ..WengLinConfig::default()
    }
}

/// Where a new player's rating is 0: a player of whom nothing is known must not decide by being there.
pub(super) type WengLin = WengLinRating;

impl Skill for WengLin {
    const NAME: ModelName = ModelName::WengLin;

    type Config = WengLinConfig;

    fn usual() -> WengLinConfig {
        config(CONSTANTS.map(|constant| constant.value))
    }

    fn new(_: &WengLinConfig) -> Self {
        Self {
            rating: 0.0,
            ..Self::default()
        }
    }

    fn numbers(self) -> [f64; 3] {
        [self.rating, self.uncertainty, 0.0]
    }

    fn of_numbers([rating, uncertainty, _]: [f64; 3]) -> Self {
        Self {
            rating,
            uncertainty,
        }
    }

    fn points(self) -> f64 {
        POINTS_OF_25 * self.rating
    }

    fn moved(self, points: f64) -> Self {
        Self {
            rating: self.rating + points / POINTS_OF_25,
            ..self
        }
    }

    fn deviation(self) -> Option<f64> {
        Some(POINTS_OF_25 * self.uncertainty)
    }

    fn predict([a, b]: [&[Self]; 2], config: &WengLinConfig, _: f64) -> f64 {
        expected_score_two_teams(a, b, config).0
    }

    fn learn(
        [a, b]: [&[Self]; 2],
        outcome: Outcomes,
        _: f64,
        config: &WengLinConfig,
    ) -> [Vec<Self>; 2] {
        let (a, b) = weng_lin_two_teams(a, b, &outcome, config);
        [a, b]
    }
}
