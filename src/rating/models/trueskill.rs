//! TrueSkill (R. Herbrich, T. Minka and T. Graepel, TrueSkill: A Bayesian Skill Rating System, 2006), with the
//! constants of the paper.

use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, trueskill_two_teams,
};

use super::Model;
use super::teams::{Ratings, outcome, probability};
use crate::domain::{Probability, Round};

#[derive(Debug)]
pub(super) struct TrueSkill(Ratings<TrueSkillRating>);

impl Default for TrueSkill {
    fn default() -> Self {
        Self(Ratings::new(TrueSkillRating {
            rating: 0.0,
            ..TrueSkillRating::default()
        }))
    }
}

impl Model for TrueSkill {
    fn rate(&mut self, round: &Round) -> Probability {
        let config = TrueSkillConfig::default();
        let [a, b] = self.0.rosters(round);
        let (expected, _) = expected_score_two_teams(&a, &b, &config);
        if let Some([a, b]) = self.0.participants(round) {
            let (a, b) = trueskill_two_teams(&a, &b, &outcome(round), &config);
            self.0.set(round, [a, b]);
        }
        probability(expected)
    }
}
