//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill_two_teams};

use super::plain::skill_of_25;
use super::teams::sum;
use super::{Constant, ModelName};
use crate::domain::Probability;
use crate::rating::probability::normal;

/// Constants of TrueSkill in units of skill (a new player has 25). β is the standard deviation of a player's
/// performance, and the dynamics factor is the standard deviation by which a skill drifts from round to round.
pub(super) const CONSTANTS: [Constant; 2] = [
    Constant::around("beta", 25.0 / 3.0 * 0.5, 16.0),
    Constant::around("dynamics_factor", 25.0 / 300.0, 64.0),
];

pub(super) fn config([beta, dynamics_factor]: [f64; 2]) -> TrueSkillConfig {
    TrueSkillConfig {
        beta,
        dynamics_factor,
        ..TrueSkillConfig::default()
    }
}

pub(super) type TrueSkill = TrueSkillRating;

/// Returns the probability that team a performs better than team b. Each player's performance is normally distributed
/// around the player's skill.
fn predict(teams: [&[TrueSkill]; 2], config: &TrueSkillConfig) -> Probability {
    let skills = |team: &[TrueSkill]| sum(team.iter().map(|player| player.rating));
    let play = |player: &TrueSkill| player.uncertainty.powi(2) + config.beta.powi(2);
    let variances = |team: &[TrueSkill]| sum(team.iter().map(play));
    let [a, b] = teams;
    normal((skills(a) - skills(b)) / (variances(a) + variances(b)).sqrt())
}

skill_of_25!(
    TrueSkill,
    TrueSkillConfig,
    ModelName::TrueSkill,
    predict,
    trueskill_two_teams
);
