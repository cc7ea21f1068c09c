//! Elo rating model for teams (A. Elo, The Rating of Chessplayers, 1978). The predicted win probability (formula F1)
//! follows from the difference of the teams' sums of points above a new player. Every participant moves by the same
//! K-factor.

use super::plain::{Formulas, Skill};
use super::pool::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Score};
use crate::rating::probability::logistic;

/// K-factor of the Elo model in points, as chess federations give to players who are not new.
pub(super) const CONSTANTS: [Constant; 1] = [Constant::around("k", 32.0, 16.0)];

/// Elo's formulas with their K-factor in points. A skill is a number of points above a new player's rating.
#[derive(Debug)]
pub(super) struct Elo {
    k: f64,
}

pub(super) fn formulas([k]: [f64; 1]) -> Elo {
    Elo { k }
}

impl Formulas for Elo {
    const NAME: ModelName = ModelName::Elo;

    fn new_player(&self) -> Skill {
        Skill::default()
    }

    fn predict(&self, teams: [&[Skill]; 2], theta: f64, ahead: f64) -> Probability {
        let [a, b] = teams.map(|team| sum(team.iter().map(|player| player.rating)));
        logistic((a - b + ahead) / theta)
    }

    fn learn(&self, [a, b]: [&[Skill]; 2], score: Score, expected: f64) -> [Vec<Skill>; 2] {
        let step = self.k * (score.value() - expected);
        let moved = |team: &[Skill], step: f64| {
            let moved = team.iter().map(|player| Skill {
                rating: player.rating + step,
                ..*player
            });
            moved.collect()
        };
        [moved(a, step), moved(b, -step)]
    }
}
