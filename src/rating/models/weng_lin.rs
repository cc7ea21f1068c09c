//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, expected_score_two_teams, weng_lin_two_teams,
};

use super::Model;
use super::teams::{Ratings, outcome, probability};
use crate::domain::{Probability, Round};

#[derive(Debug)]
pub(super) struct WengLin(Ratings<WengLinRating>);

impl Default for WengLin {
    fn default() -> Self {
        Self(Ratings::new(WengLinRating {
            rating: 0.0,
            ..WengLinRating::default()
        }))
    }
}

impl Model for WengLin {
    fn rate(&mut self, round: &Round) -> Probability {
        let config = WengLinConfig::default();
        let [a, b] = self.0.rosters(round);
        let (expected, _) = expected_score_two_teams(&a, &b, &config);
        if let Some([a, b]) = self.0.participants(round) {
            let (a, b) = weng_lin_two_teams(&a, &b, &outcome(round), &config);
            self.0.set(round, [a, b]);
        }
        probability(expected)
    }
}
