use crate::domain::Probability;

/// F1: returns the probability that team a wins, P_A = 1 / (1 + exp(-(Σ_A - Σ_B)/Θ)).
///
/// `sum_a` and `sum_b` are the sums of the rosters' ratings at the start of the round. `theta` is Θ, above 0.
///
/// # Design
/// `libm` computes the exponential, so that a log gives equal ratings on every machine.
#[must_use]
pub fn win_probability(sum_a: i64, sum_b: i64, theta: f64) -> Probability {
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of at most 64 ratings are far below 2^53"
    )]
    let lead = (sum_a - sum_b) as f64;
    logistic(lead / theta)
}

/// Returns the logistic function of `lead`: the probability that team a wins if `lead` is its log-odds.
pub(super) fn logistic(lead: f64) -> Probability {
    mirrored(lead, |lead| 1.0 / (1.0 + libm::exp(-lead)))
}

/// Returns the standard normal distribution at `lead`: the probability that team a wins with a lead in standard
/// deviations.
pub(super) fn normal(lead: f64) -> Probability {
    mirrored(lead, |lead| {
        1.0 - libm::erfc(lead / std::f64::consts::SQRT_2) / 2.0
    })
}

/// Returns the probability that team a wins. `favourite` maps an absolute lead to the probability of the leading team.
/// A NaN lead gives even odds.
///
/// # Design
/// The underdog's probability is one minus the favourite's. Both lie in 0 to 1 and sum to exactly one, and swapped
/// teams have exactly mirrored odds. Two evaluations of the formula would differ by a rounding error.
fn mirrored(lead: f64, favourite: impl FnOnce(f64) -> f64) -> Probability {
    let favourite = Probability::new(favourite(lead.abs())).unwrap_or(Probability::HALF);
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

    #[test]
    fn the_normal_distribution_is_exactly_even_at_nothing_and_what_tables_say_elsewhere() {
        assert_eq!(normal(0.0), Probability::HALF);
        assert_eq!(normal(f64::NAN), Probability::HALF);
        for (lead, known) in [(1.0, 0.841_344_746_068_543), (-1.96, 0.024_997_895_148_220)] {
            let p = normal(lead).get();
            assert!((p - known).abs() < 1e-14, "{lead}: {p}");
        }
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
