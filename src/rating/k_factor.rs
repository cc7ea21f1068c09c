use super::Parameters;
use crate::domain::Rating;

/// F4 and F5: the K-factor, Kmin + (Kmax - Kmin)·C·G with G = exp(-(R - R0)²/(2σ²)).
///
/// `rating` is R before the round, `convergence` is C, 0 to 1. The result lies in Kmin to Kmax.
#[must_use]
pub fn k_factor(rating: Rating, convergence: f64, parameters: &Parameters) -> f64 {
    let distance = f64::from(rating.points() - parameters.initial_rating.points());
    let compression = libm::exp(-distance * distance / (2.0 * parameters.sigma * parameters.sigma));
    let range = parameters.k_max - parameters.k_min;
    // The sum can round past Kmax by one unit in the last place.
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
