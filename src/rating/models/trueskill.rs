//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, trueskill_two_teams,
};

use super::teams::{Ratings, of_skill, outcome, probability};
use super::{Constant, Model};
use crate::domain::{PlayerId, Probability, Rating, Round};

/// How much chance a player's play has, and how fast skills change.
pub(super) const CONSTANTS: [Constant; 2] = [
    Constant::around("beta", 25.0 / 3.0 * 0.5, 16.0),
    Constant::around("dynamics_factor", 25.0 / 300.0, 64.0),
];

#[derive(Debug)]
pub(super) struct TrueSkill {
    config: TrueSkillConfig,
    ratings: Ratings<TrueSkillRating>,
}

impl TrueSkill {
    pub(super) fn new([beta, dynamics_factor]: [f64; 2]) -> Self {
        Self {
            config: TrueSkillConfig {
                beta,
                dynamics_factor,
                ..TrueSkillConfig::default()
            },
            ratings: Ratings::new(TrueSkillRating {
                rating: 0.0,
                ..TrueSkillRating::default()
            }),
        }
    }
}

impl Model for TrueSkill {
    fn rate(&mut self, round: &Round) -> Probability {
        let config = self.config;
        let [a, b] = self.ratings.rosters(round);
        let (expected, _) = expected_score_two_teams(&a, &b, &config);
        if let Some([a, b]) = self.ratings.participants(round) {
            let (a, b) = trueskill_two_teams(&a, &b, &outcome(round), &config);
            self.ratings.set(round, [a, b]);
        }
        probability(expected)
    }

    fn rating(&self, player: PlayerId) -> Rating {
        of_skill(self.ratings.get(player).rating)
    }
}
