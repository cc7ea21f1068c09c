use super::{Parameters, Window};
use crate::domain::Rating;

/// F3: convergence, the degree to which a player's rating is unsettled, with the three signals behind the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// Convergence C of a rating, from 0 (settled) to 1 (unsettled, or no rounds yet).
    pub score: f64,
    /// v_vel: difference of the mean ratings of a player's window halves, in units of Kmax; at least 0.
    pub velocity: f64,
    /// v_wre: |mean score - mean win probability| in a player's window, in units of `win_rate_tolerance`; at least 0.
    pub win_rate_excess: f64,
    /// v_vol: standard deviation of the ratings in a player's window, in units of Kmax; at least 0.
    pub volatility: f64,
}

/// Computes the convergence of a rating (F3) from the player's `window` of earlier rounds.
#[must_use]
pub fn convergence(window: &Window, parameters: &Parameters) -> Convergence {
    let velocity = window.drift() / parameters.k_max;
    let win_rate_excess = window.win_rate_excess() / parameters.win_rate_tolerance;
    let volatility = window.deviation() / parameters.k_max;
    let weighted = parameters.weight_velocity * velocity
        + parameters.weight_win_rate * win_rate_excess
        + parameters.weight_volatility * volatility;
    let score = if window.length() == 0 {
        1.0
    } else {
        weighted.clamp(0.0, 1.0)
    };
    Convergence {
        score,
        velocity,
        win_rate_excess,
        volatility,
    }
}

/// Computes the K-factor by F4 and F5: Kmin + (Kmax - Kmin)·C·G with G = exp(-(R - R0)²/(2σ²)).
///
/// `rating` is R before the round, and `convergence` is C, 0 to 1. The result lies between Kmin and Kmax.
#[must_use]
pub fn k_factor(rating: Rating, convergence: f64, parameters: &Parameters) -> f64 {
    let distance = f64::from(rating.points() - parameters.initial_rating.points());
    let compression = libm::exp(-distance * distance / (2.0 * parameters.sigma * parameters.sigma));
    let range = parameters.k_max - parameters.k_min;
    // Rounding can lift the sum above Kmax by one unit in the last place.
    (parameters.k_min + range * convergence * compression).min(parameters.k_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_that_rounds_past_kmax_is_kmax() {
        let parameters = Parameters {
            k_min: 0.3,
            k_max: 0.9,
            ..Parameters::default()
        };
        let unlimited = parameters.k_min + (parameters.k_max - parameters.k_min);
        assert!(unlimited > parameters.k_max);
        assert_eq!(k_factor(parameters.initial_rating, 1.0, &parameters), 0.9);
    }
}
