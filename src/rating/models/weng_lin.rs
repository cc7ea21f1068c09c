//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::weng_lin::{WengLinConfig, weng_lin_two_teams};

use super::plain::{Formulas, NEW_OF_25, POINTS_OF_25, Skill, learn_of_25, outcome};
use super::pool::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Score};
use crate::rating::probability::logistic;

/// Randomness of a player's performance in the Weng-Lin model, in units of skill. A new player's deviation is 25/3.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("beta", 25.0 / 6.0, 16.0)];

pub(super) fn formulas([beta]: [f64; 1]) -> WengLinConfig {
    WengLinConfig {
        beta,
        ..WengLinConfig::default()
    }
}

impl Formulas for WengLinConfig {
    const NAME: ModelName = ModelName::WengLin;
    const POINTS: f64 = POINTS_OF_25;

    fn new_player(&self) -> Skill {
        NEW_OF_25
    }

    fn predict(&self, teams: [&[Skill]; 2], _: f64, _: f64) -> Probability {
        let skills = |team: &[Skill]| sum(team.iter().map(|player| player.rating));
        let variances = |team: &[Skill]| sum(team.iter().map(|player| player.deviation.powi(2)));
        let [a, b] = teams;
        let variance = variances(a) + variances(b) + 2.0 * self.beta.powi(2);
        logistic((skills(a) - skills(b)) / variance.sqrt())
    }

    fn learn(&self, teams: [&[Skill]; 2], score: Score, _: f64) -> [Vec<Skill>; 2] {
        learn_of_25(teams, |a, b| {
            weng_lin_two_teams(a, b, &outcome(score), self)
        })
    }
}
