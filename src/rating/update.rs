use super::{Convergence, Parameters, Window, boosted, convergence, k_factor};
use crate::domain::{Probability, Rating, Score};

/// What a pool knows of a player before a round, as far as the rating goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The rating before the round.
    pub rating: Rating,
    /// Rated rounds before it, since the player's last reset.
    pub rounds: u32,
    /// The last W of them.
    pub window: Window,
    /// How many of them came since the player returned ([`rounds_since_return`]); `None` where no return raises K.
    ///
    /// [`rounds_since_return`]: super::rounds_since_return
    pub since_return: Option<u32>,
}

/// What a round made of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The rating after the round.
    pub rating: Rating,
    /// Rated rounds, this one included.
    pub rounds: u32,
    /// The K-factor that was used: what it is, times what the player's part of the round weighs.
    pub k: f64,
    /// The K-factor that it would have been for the whole round.
    pub whole_k: f64,
    /// The convergence that the K-factor came from.
    pub convergence: Convergence,
}

/// Rates one participant of a round: F3 to F5 for the K-factor, F2 for the rating.
///
/// `expected` is the win probability of the player's team, `score` what it got, `weight` what the
/// player's part of the round weighs, 0 to 1 ([`participation_weight`]).
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

/// F2: R' = max(Rmin, round(R + K·(S - P))), a half going to the even neighbour; in the round
/// that ends the shadow period also at most the graduation cap.
///
/// `rounds` counts this round too. The sum is rounded, not the step: R = 1001 and a step of 0.5
/// give 1002.
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
