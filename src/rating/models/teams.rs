//! Helpers of rating models that only know the players and the winner of a round.

use skillratings::Outcomes;

use crate::domain::{Side, Winner};

pub(super) fn outcome(winner: Winner) -> Outcomes {
    match winner {
        Winner::A => Outcomes::WIN,
        Winner::B => Outcomes::LOSS,
        Winner::Draw => Outcomes::DRAW,
    }
}

/// Adds up numbers in ascending order, so that the order of a team's players does not change a bit of the result.
pub(super) fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

pub(super) fn sums(numbers: impl Iterator<Item = (Side, f64)>) -> [f64; 2] {
    let (a, b): (Vec<_>, Vec<_>) = numbers.partition(|(side, _)| *side == Side::A);
    [a, b].map(|team| sum(team.into_iter().map(|(_, number)| number)))
}
