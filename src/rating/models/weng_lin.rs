//! The Bradley-Terry model with full pairs of R. Weng and C.-J. Lin (A Bayesian Approximation Method for Online
//! Ranking, 2011), with the constants of the paper.

use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, expected_score_two_teams, weng_lin_two_teams,
};

use super::teams::{Ratings, of_skill, outcome, probability};
use super::{Constant, Model};
use crate::domain::{PlayerId, Probability, Rating, Round};

/// How much chance a player's play has, against a new player's deviation of 25/3.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("beta", 25.0 / 6.0, 16.0)];

#[derive(Debug)]
pub(super) struct WengLin {
    config: WengLinConfig,
    ratings: Ratings<WengLinRating>,
}

impl WengLin {
    pub(super) fn new([beta]: [f64; 1]) -> Self {
        Self {
            config: WengLinConfig {
                beta,
                ..WengLinConfig::default()
            },
            ratings: Ratings::new(WengLinRating {
                rating: 0.0,
                ..WengLinRating::default()
            }),
        }
    }
}

impl Model for WengLin {
    fn rate(&mut self, round: &Round) -> Probability {
        let config = self.config;
        let [a, b] = self.ratings.rosters(round);
        let (expected, _) = expected_score_two_teams(&a, &b, &config);
        if let Some([a, b]) = self.ratings.participants(round) {
            let (a, b) = weng_lin_two_teams(&a, &b, &outcome(round), &config);
            self.ratings.set(round, [a, b]);
        }
        probability(expected)
    }

    fn rating(&self, player: PlayerId) -> Rating {
        of_skill(self.ratings.get(player).rating)
    }
}
