//! Glicko-2 (M. Glickman, Example of the Glicko-2 system, 2013), which is for duels: each player meets one
//! opponent with the mean rating and the root mean squared deviation of the other team.

use skillratings::glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2};

use super::Model;
use super::teams::{Ratings, outcome, probability};
use crate::domain::{Probability, Round};

#[derive(Debug)]
pub(super) struct Glicko2(Ratings<Glicko2Rating>);

impl Default for Glicko2 {
    fn default() -> Self {
        Self(Ratings::new(Glicko2Rating::default()))
    }
}

impl Model for Glicko2 {
    fn rate(&mut self, round: &Round) -> Probability {
        let [a, b] = self.0.rosters(round).map(|team| mean(&team));
        let (expected, _) = expected_score(&a, &b);
        if let Some([a, b]) = self.0.participants(round) {
            let (mean_a, mean_b) = (mean(&a), mean(&b));
            let config = Glicko2Config::default();
            let won = outcome(round);
            let against = |team: &[Glicko2Rating], opponent: &Glicko2Rating, won| {
                let played = team
                    .iter()
                    .map(|player| glicko2(player, opponent, &won, &config).0);
                played.collect()
            };
            let lost = flipped(won);
            self.0.set(
                round,
                [against(&a, &mean_b, won), against(&b, &mean_a, lost)],
            );
        }
        probability(expected)
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
