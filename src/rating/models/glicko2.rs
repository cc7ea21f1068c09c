//! Glicko-2 (M. Glickman, Example of the Glicko-2 system, 2013), which is for duels: each player meets one
//! opponent with the mean rating and the root mean squared deviation of the other team.

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};

use super::teams::{Ratings, outcome, probability};
use super::{Constant, Model};
use crate::domain::{PlayerId, Probability, Rating, Round};

/// A new player's deviation and volatility, and how fast volatilities change: those of the paper.
pub(super) const CONSTANTS: [Constant; 3] = [
    Constant::around("deviation", 350.0, 8.0),
    Constant::around("volatility", 0.06, 16.0),
    Constant::around("tau", 0.5, 4.0),
];

#[derive(Debug)]
pub(super) struct Glicko2 {
    config: Glicko2Config,
    ratings: Ratings<Glicko2Rating>,
}

impl Glicko2 {
    pub(super) fn new([deviation, volatility, tau]: [f64; 3]) -> Self {
        Self {
            config: Glicko2Config {
                tau,
                ..Glicko2Config::default()
            },
            ratings: Ratings::new(Glicko2Rating {
                deviation,
                volatility,
                ..Glicko2Rating::default()
            }),
        }
    }
}

impl Model for Glicko2 {
    fn rate(&mut self, round: &Round) -> Probability {
        let [a, b] = self.ratings.rosters(round).map(|team| mean(&team));
        let (expected, _) = expected_score(&a, &b);
        if let Some([a, b]) = self.ratings.participants(round) {
            let (mean_a, mean_b) = (mean(&a), mean(&b));
            let config = self.config;
            let won = outcome(round);
            let against = |team: &[Glicko2Rating], opponent: &Glicko2Rating, won| {
                let played = team
                    .iter()
                    .map(|player| glicko2(player, opponent, &won, &config).0);
                played.collect()
            };
            let lost = flipped(won);
            self.ratings.set(
                round,
                [against(&a, &mean_b, won), against(&b, &mean_a, lost)],
            );
        }
        probability(expected)
    }

    fn rating(&self, player: PlayerId) -> Rating {
        Rating::from_rounded(self.ratings.get(player).rating)
    }
}

/// One player in place of a team.
fn mean(team: &[Glicko2Rating]) -> Glicko2Rating {
    #[expect(clippy::cast_precision_loss, reason = "teams are small")]
    let size = team.len() as f64;
    let mean = |value: fn(&Glicko2Rating) -> f64| team.iter().map(value).sum::<f64>() / size;
    Glicko2Rating {
        rating: mean(|player| player.rating),
        deviation: mean(|player| player.deviation * player.deviation).sqrt(),
        volatility: mean(|player| player.volatility),
    }
}

fn flipped(outcome: skillratings::Outcomes) -> skillratings::Outcomes {
    use skillratings::Outcomes::{DRAW, LOSS, WIN};
    match outcome {
        WIN => LOSS,
        LOSS => WIN,
        DRAW => DRAW,
    }
}
