//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_two_teams};

use super::plain::skill_of_25;
use super::teams::sum;
use super::{Constant, ModelName};
use crate::domain::Probability;
use crate::rating::probability::logistic;

/// Randomness of a player's performance in the Weng-Lin model, in units of skill. A new player's deviation is 25/3.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("beta", 25.0 / 6.0, 16.0)];

pub(super) fn config([beta]: [f64; 1]) -> WengLinConfig {
    WengLinConfig {
        beta,
        ..WengLinConfig::default()
    }
}

pub(super) type WengLin = WengLinRating;

fn predict(teams: [&[WengLin]; 2], config: &WengLinConfig) -> Probability {
    let skills = |team: &[WengLin]| sum(team.iter().map(|player| player.rating));
    let variances = |team: &[WengLin]| sum(team.iter().map(|player| player.uncertainty.powi(2)));
    let [a, b] = teams;
    let variance = variances(a) + variances(b) + 2.0 * config.beta.powi(2);
    logistic((skills(a) - skills(b)) / variance.sqrt())
}

skill_of_25!(
    WengLin,
    WengLinConfig,
    ModelName::WengLin,
    predict,
    weng_lin_two_teams
);
