//! Glicko-2 (M. Glickman, Example of the Glicko-2 system, 2013). Glicko-2 rates duels, so each player meets a single
//! opponent that represents the other team. The opponent has the mean rating and the root mean square deviation of the
//! other team.

use std::f64::consts::PI;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::plain::Skill;
use super::teams::sum;
use super::{Constant, ModelName};
use crate::domain::{Probability, Share};
use crate::rating::probability::logistic;
use crate::rating::widened;

const INITIAL: f64 = 1500.0;
/// Number of Glicko-2 points in one unit of log-odds, between players whose ratings are certain.
const SCALE: f64 = 173.7178;

/// Constants of Glicko-2 with Glickman's values: deviation (in points) and volatility of a new player, and τ, which
/// limits changes of volatilities.
pub(super) const CONSTANTS: [Constant; 3] = [
    Constant::around("deviation", 350.0, 8.0),
    Constant::around("volatility", 0.06, 16.0),
    Constant::around("tau", 0.5, 4.0),
];

pub(super) type Glicko2 = Glicko2Rating;

#[derive(Clone, Debug)]
pub(super) struct Config {
    new: Glicko2Rating,
    change: Glicko2Config,
}

pub(super) fn config([deviation, volatility, tau]: [f64; 3]) -> Config {
    Config {
        new: Glicko2Rating {
            rating: INITIAL,
            deviation,
            volatility,
        },
        change: Glicko2Config {
            tau,
            ..Glicko2Config::default()
        },
    }
}

impl Skill for Glicko2 {
    const NAME: ModelName = ModelName::Glicko2;

    type Config = Config;

    fn usual() -> Config {
        config(CONSTANTS.map(|constant| constant.value))
    }

    fn new(config: &Config) -> Self {
        config.new
    }

    fn numbers(self) -> [f64; 3] {
        [self.rating, self.deviation, self.volatility]
    }

    fn of_numbers([rating, deviation, volatility]: [f64; 3]) -> Self {
        Self {
            rating,
            deviation,
            volatility,
        }
    }

    fn points(self) -> f64 {
        self.rating - INITIAL
    }

    fn moved(self, points: f64) -> Self {
        Self {
            rating: self.rating + points,
            ..self
        }
    }

    fn deviation(self) -> Option<f64> {
        Some(self.deviation)
    }

    fn widened(self, keep: Share, new: Self) -> Self {
        let (known, prior) = (
            self.deviation * self.deviation,
            new.deviation * new.deviation,
        );
        Self {
            deviation: widened(known, prior, keep).sqrt(),
            ..self
        }
    }

    /// Returns the win probability of team a, with log-odds of g · (μ_a - μ_b) and g = 1/√(1 + 3(φ_a² + φ_b²)/π²). Here
    /// μ is a team's mean rating and φ the root mean square of its players' deviations, both in log-odds.
    fn predict(teams: [&[Self]; 2], _: &Config, _: f64, _: f64) -> Probability {
        let [a, b] = teams.map(mean);
        let variance = (a.deviation * a.deviation + b.deviation * b.deviation) / (SCALE * SCALE);
        let certainty = 1.0 / (1.0 + 3.0 * variance / (PI * PI)).sqrt();
        logistic(certainty * (a.rating - b.rating) / SCALE)
    }

    fn learn(teams: [&[Self]; 2], outcome: Outcomes, _: f64, config: &Config) -> [Vec<Self>; 2] {
        let [mean_a, mean_b] = teams.map(mean);
        let against = |team: &[Self], opponent: &Self, outcome| {
            let played = team
                .iter()
                .map(|player| glicko2(player, opponent, &outcome, &config.change).0);
            played.collect()
        };
        let [a, b] = teams;
        [
            against(a, &mean_b, outcome),
            against(b, &mean_a, flipped(outcome)),
        ]
    }
}

/// Returns a single player who represents a team in a duel.
fn mean(team: &[Glicko2Rating]) -> Glicko2Rating {
    #[expect(clippy::cast_precision_loss, reason = "teams are small")]
    let size = team.len() as f64;
    let mean = |value: fn(&Glicko2Rating) -> f64| sum(team.iter().map(value)) / size;
    Glicko2Rating {
        rating: mean(|player| player.rating),
        deviation: mean(|player| player.deviation * player.deviation).sqrt(),
        volatility: mean(|player| player.volatility),
    }
}

fn flipped(outcome: Outcomes) -> Outcomes {
    use skillratings::Outcomes::{DRAW, LOSS, WIN};
    match outcome {
        WIN => LOSS,
        LOSS => WIN,
        DRAW => DRAW,
    }
}
