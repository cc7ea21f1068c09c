//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, trueskill_two_teams,
};

use super::plain::skill_of_25;
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

pub(super) type TrueSkill = TrueSkillRating;

skill_of_25!(
    TrueSkill,
    TrueSkillConfig,
    ModelName::TrueSkill,
    expected_score_two_teams,
    trueskill_two_teams
);
