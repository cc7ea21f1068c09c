use crate::domain::Probability;

/// F1: the probability that team a wins, P_A = 1 / (1 + exp(-(Σ_A - Σ_B)/Θ)).
///
/// `sum_a`, `sum_b`: the sums of the rosters' ratings at the start of the round; `theta`: Θ, above
/// 0.
///
/// # Design
/// The favourite's probability is computed and the other is one minus it. Both lie in 0 to 1,
/// they sum to exactly one, and swapping the teams gives exactly the mirror image, which the
/// formula taken twice would miss by a rounding. The exponential is `libm`'s, so that the same
/// log gives the same ratings on every machine.
#[must_use]
pub fn win_probability(sum_a: i64, sum_b: i64, theta: f64) -> Probability {
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of at most 64 ratings are far below 2^53"
    )]
    let lead = (sum_a - sum_b) as f64;
    let favourite = 1.0 / (1.0 + libm::exp(-lead.abs() / theta));
    let favourite = Probability::new(favourite).unwrap_or(Probability::HALF);
    if lead >= 0.0 {
        favourite
    } else {
        favourite.complement()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_sums_are_even_odds_and_theta_points_are_the_logistic_of_one() {
        assert_eq!(win_probability(5000, 5000, 2400.0), Probability::HALF);
        let p = win_probability(7400, 5000, 2400.0).get();
        assert!((p - 0.731_058_578_630_004_9).abs() < 1e-15, "{p}");
        assert_eq!(win_probability(64_000_000, 0, 1.0).get(), 1.0);
        assert_eq!(win_probability(0, 64_000_000, 1.0).get(), 0.0);
    }

    proptest! {
        #[test]
        fn both_sides_sum_to_one_and_mirror(
            a in 0..64_000_000_i64, b in 0..64_000_000_i64, theta in 1.0..100_000.0,
        ) {
            let p = win_probability(a, b, theta);
            prop_assert_eq!(p.get() + p.complement().get(), 1.0);
            prop_assert_eq!(p.complement(), win_probability(b, a, theta));
            prop_assert_eq!(p.complement().complement(), p);
        }

        #[test]
        fn the_printed_formula_agrees(a in 0..128_000_i32, b in 0..128_000_i32) {
            let direct = 1.0 / (1.0 + (-f64::from(a - b) / 2400.0).exp());
            prop_assert!((win_probability(a.into(), b.into(), 2400.0).get() - direct).abs() < 1e-12);
        }

        #[test]
        fn a_stronger_team_is_never_less_likely(
            a in 0..64_000_i64, b in 0..64_000_i64, more in 0..1000_i64,
        ) {
            let theta = 2400.0;
            prop_assert!(win_probability(a + more, b, theta) >= win_probability(a, b, theta));
        }
    }
}
