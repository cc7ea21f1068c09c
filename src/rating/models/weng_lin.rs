//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, expected_score_two_teams, weng_lin_two_teams,
};

use super::plain::skill_of_25;
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

pub(super) type WengLin = WengLinRating;

skill_of_25!(
    WengLin,
    WengLinConfig,
    ModelName::WengLin,
    expected_score_two_teams,
    weng_lin_two_teams
);
