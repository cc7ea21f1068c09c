use super::{Convergence, Parameters, Window, boosted, convergence, k_factor};
use crate::domain::{Probability, Rating, Score};

/// Rating and history of a player before a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Rating of the player before the round, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds before the round, since the player's last reset.
    pub rounds: u32,
    /// Sums of ratings, win probabilities and scores over the player's last W rated rounds before the round.
    pub window: Window,
    /// Number of rounds since the player's return ([`rounds_since_return`]); `None` if no return raises K.
    ///
    /// [`rounds_since_return`]: super::rounds_since_return
    pub since_return: Option<u32>,
}

/// Effect of a round on one player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// Rating of the player after the round, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds, including this round.
    pub rounds: u32,
    /// Applied K-factor in points: `whole_k` times the weight of the player's part of the round.
    pub k: f64,
    /// K-factor in points for participation in the whole round.
    pub whole_k: f64,
    /// Convergence (F3) of the player's rating before the round, which says how unsettled the rating was.
    pub convergence: Convergence,
}

/// Computes the new rating and K-factor of one participant of a round: formulas F3 to F5 give K from the player's
/// window, and F2 gives the rating.
///
/// `expected` is the win probability of the player's team, and `score` is the team's score. `weight` is the weight of
/// the player's part of the round, 0 to 1 ([`participation_weight`]).
///
/// [`participation_weight`]: super::participation_weight
#[must_use]
pub fn rate(
    standing: &Standing,
    expected: Probability,
    score: Score,
    weight: f64,
    parameters: &Parameters,
) -> Rated {
    let convergence = convergence(&standing.window, parameters);
    let whole_k = k_factor(standing.rating, convergence.score, parameters);
    let whole_k = boosted(whole_k, standing.since_return, parameters);
    let k = weight * whole_k;
    let rounds = standing.rounds.saturating_add(1);
    Rated {
        rating: new_rating(standing.rating, k, expected, score, rounds, parameters),
        rounds,
        k,
        whole_k,
        convergence,
    }
}

/// F2: returns the new rating R' = max(Rmin, round(R + K·(S - P))), with halves rounded to even. In the round that ends
/// the shadow period, R' is at most the graduation cap.
///
/// `rounds` includes this round. The sum is rounded, and not the step: R = 1001 and a step of 0.5 give 1002.
#[must_use]
pub fn new_rating(
    before: Rating,
    k: f64,
    expected: Probability,
    score: Score,
    rounds: u32,
    parameters: &Parameters,
) -> Rating {
    let step = k * (score.value() - expected.get());
    let rounded = Rating::from_rounded(f64::from(before.points()) + step);
    let capped = if rounds == parameters.shadow_rounds {
        rounded.min(parameters.graduation_cap)
    } else {
        rounded
    };
    capped.max(parameters.min_rating)
}
