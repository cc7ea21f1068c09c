//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::trueskill::{TrueSkillConfig, trueskill_two_teams};

use super::plain::{Formulas, NEW_OF_25, POINTS_OF_25, Skill, learn_of_25, outcome};
use super::pool::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Score};
use crate::rating::probability::normal;

/// Constants of TrueSkill in units of skill (a new player has 25). β is the standard deviation of a player's
/// performance, and the dynamics factor is the standard deviation by which a skill drifts from round to round.
pub(super) const CONSTANTS: [Constant; 2] = [
    Constant::around("beta", 25.0 / 3.0 * 0.5, 16.0),
    Constant::around("dynamics_factor", 25.0 / 300.0, 64.0),
];

pub(super) fn formulas([beta, dynamics_factor]: [f64; 2]) -> TrueSkillConfig {
    TrueSkillConfig {
        beta,
        dynamics_factor,
        ..TrueSkillConfig::default()
    }
}

impl Formulas for TrueSkillConfig {
    const NAME: ModelName = ModelName::TrueSkill;
    const POINTS: f64 = POINTS_OF_25;

    fn new_player(&self) -> Skill {
        NEW_OF_25
    }

    /// Returns the probability that team a performs better than team b. Each player's performance is normally
    /// distributed around the player's skill.
    fn predict(&self, teams: [&[Skill]; 2], _: f64, _: f64) -> Probability {
        let skills = |team: &[Skill]| sum(team.iter().map(|player| player.rating));
        let play = |player: &Skill| player.deviation.powi(2) + self.beta.powi(2);
        let variances = |team: &[Skill]| sum(team.iter().map(play));
        let [a, b] = teams;
        normal((skills(a) - skills(b)) / (variances(a) + variances(b)).sqrt())
    }

    fn learn(&self, teams: [&[Skill]; 2], score: Score, _: f64) -> [Vec<Skill>; 2] {
        learn_of_25(teams, |a, b| {
            trueskill_two_teams(a, b, &outcome(score), self)
        })
    }
}
