//! Glicko-2 (M. Glickman, Example of the Glicko-2 system, 2013). Glicko-2 rates duels, so each player meets a single
//! opponent that represents the other team. The opponent has the mean rating and the root mean square deviation of the
//! other team.

use std::f64::consts::PI;

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::plain::{Formulas, Skill, outcome};
use super::pool::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Score};
use crate::rating::probability::logistic;

/// Number of Glicko-2 points in one unit of log-odds, between players whose ratings are certain.
const SCALE: f64 = 173.7178;

/// Constants of Glicko-2 with Glickman's values: deviation (in points) and volatility of a new player, and τ, which
/// limits changes of volatilities.
pub(super) const CONSTANTS: [Constant; 3] = [
    Constant::around("deviation", 350.0, 8.0),
    Constant::around("volatility", 0.06, 16.0),
    Constant::around("tau", 0.5, 4.0),
];

#[derive(Debug)]
pub(super) struct Glicko2 {
    new: Skill,
    change: Glicko2Config,
}

pub(super) fn formulas([deviation, volatility, tau]: [f64; 3]) -> Glicko2 {
    Glicko2 {
        new: Skill {
            rating: 1500.0,
            deviation,
            volatility,
        },
        change: Glicko2Config {
            tau,
            ..Glicko2Config::default()
        },
    }
}

impl Formulas for Glicko2 {
    const NAME: ModelName = ModelName::Glicko2;

    fn new_player(&self) -> Skill {
        self.new
    }

    /// Returns the win probability of team a, with log-odds of g · (μ_a - μ_b) and g = 1/√(1 + 3(φ_a² + φ_b²)/π²). Here
    /// μ is a team's mean rating and φ the root mean square of its players' deviations, both in log-odds.
    fn predict(&self, teams: [&[Skill]; 2], _: f64, _: f64) -> Probability {
        let [a, b] = teams.map(mean);
        let variance = (a.deviation * a.deviation + b.deviation * b.deviation) / (SCALE * SCALE);
        let certainty = 1.0 / (1.0 + 3.0 * variance / (PI * PI)).sqrt();
        logistic(certainty * (a.rating - b.rating) / SCALE)
    }

    fn learn(&self, teams: [&[Skill]; 2], score: Score, _: f64) -> [Vec<Skill>; 2] {
        let [mean_a, mean_b] = teams.map(mean);
        let against = |team: &[Skill], opponent: Glicko2Rating, score: Score| {
            let played = team.iter().map(|player| {
                let player = Glicko2Rating::from(*player);
                Skill::from(glicko2(&player, &opponent, &outcome(score), &self.change).0)
            });
            played.collect()
        };
        let [a, b] = teams;
        [
            against(a, mean_b, score),
            against(b, mean_a, score.complement()),
        ]
    }
}

impl From<Skill> for Glicko2Rating {
    fn from(skill: Skill) -> Self {
        Self {
            rating: skill.rating,
            deviation: skill.deviation,
            volatility: skill.volatility,
        }
    }
}

impl From<Glicko2Rating> for Skill {
    fn from(rating: Glicko2Rating) -> Self {
        Self {
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
        }
    }
}

/// Returns a single player who represents a team in a duel.
fn mean(team: &[Skill]) -> Glicko2Rating {
    #[expect(clippy::cast_precision_loss, reason = "teams are small")]
    let size = team.len() as f64;
    let mean = |value: fn(&Skill) -> f64| sum(team.iter().map(value)) / size;
    Glicko2Rating {
        rating: mean(|player| player.rating),
        deviation: mean(|player| player.deviation * player.deviation).sqrt(),
        volatility: mean(|player| player.volatility),
    }
}
