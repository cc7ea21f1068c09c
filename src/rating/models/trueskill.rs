//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::Outcomes;
use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, trueskill_two_teams,
};

use super::plain::{POINTS_OF_25, Skill};
use super::{Constant, ModelName};

/// How much chance a player's play has, and how fast skills change.
pub(super) const CONSTANTS: [Constant; 2] = [
    Constant::around("beta", 25.0 / 3.0 * 0.5, 16.0),
    Constant::around("dynamics_factor", 25.0 / 300.0, 64.0),
];

/// What the constants make.
pub(super) fn config([beta, dynamics_factor]: [f64; 2]) -> TrueSkillConfig {
    TrueSkillConfig {
        beta,
        dynamics_factor,
        ..TrueSkillConfig::default()
    }
}

/// Where a new player's rating is 0: a player of whom nothing is known must not decide by being there.
pub(super) type TrueSkill = TrueSkillRating;

impl Skill for TrueSkill {
    const NAME: ModelName = ModelName::TrueSkill;

    type Config = TrueSkillConfig;

    fn usual() -> TrueSkillConfig {
        config(CONSTANTS.map(|constant| constant.value))
    }

    fn new(_: &TrueSkillConfig) -> Self {
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

    fn predict([a, b]: [&[Self]; 2], config: &TrueSkillConfig, _: f64) -> f64 {
        expected_score_two_teams(a, b, config).0
    }

    fn learn(
        [a, b]: [&[Self]; 2],
        outcome: Outcomes,
        _: f64,
        config: &TrueSkillConfig,
    ) -> [Vec<Self>; 2] {
        let (a, b) = trueskill_two_teams(a, b, &outcome, config);
        [a, b]
    }
}
