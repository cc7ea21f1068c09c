use crate::domain::Presence;

/// Returns the weight of a player's presence relative to the whole round, 0 to 1. A second weighs half of a second that
/// is `half_life` seconds earlier.
///
/// The whole round weighs 1. Early seconds weigh more than late ones, so that joining a lost round near its end costs
/// next to nothing. `half_life` is in seconds; 0 makes every presence weigh 1.
///
/// # Design
/// The weight is the integral of 2^(-t/h) over the presence, divided by the integral over the whole round. The first
/// factor is the value of the presence's first second, the second factor its length. `expm1` keeps the digits of a
/// presence that is short compared with the half-life, when both integrals are differences of numbers near 1. The whole
/// round weighs exactly 1, because dividend and divisor are then the same expression.
#[must_use]
pub fn participation_weight(presence: Presence, half_life: u32) -> f64 {
    if half_life == 0 {
        return 1.0;
    }
    let rate = std::f64::consts::LN_2 / f64::from(half_life);
    let length = |seconds: u32| -libm::expm1(-rate * f64::from(seconds));
    let start = libm::exp(-rate * f64::from(presence.begin));
    let part = start * length(presence.end - presence.begin);
    (part / length(presence.round_seconds)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn weight(from: u32, until: u32, round: u32, half_life: u32) -> f64 {
        let presence = if from == 0 {
            Presence::from_the_start(until, round)
        } else {
            assert_eq!(until, round, "those who come late stay");
            Presence::until_the_end(round - from, round)
        };
        participation_weight(presence.unwrap(), half_life)
    }

    #[test]
    fn each_half_life_counts_half_of_the_one_before() {
        // The three half-lives of the round weigh 4/7, 2/7 and 1/7.
        assert!((weight(0, 600, 1800, 600) - 4.0 / 7.0).abs() < 1e-15);
        assert!((weight(0, 1200, 1800, 600) - 6.0 / 7.0).abs() < 1e-15);
        assert!((weight(1200, 1800, 1800, 600) - 1.0 / 7.0).abs() < 1e-15);
    }

    #[test]
    fn with_a_half_life_of_0_every_part_weighs_1() {
        assert_eq!(weight(0, 1, 1800, 0), 1.0);
        assert_eq!(weight(1799, 1800, 1800, 0), 1.0);
    }

    /// Generates the length of a round in seconds, and a second within the round.
    fn rounds() -> impl Strategy<Value = (u32, u32)> {
        (1..=86_400_u32).prop_flat_map(|round| (Just(round), 0..=round))
    }

    proptest! {
        #[test]
        fn a_weight_lies_within_0_and_1_and_the_whole_round_weighs_1(
            (round, seconds) in rounds(), half_life in 1..=1_000_000_u32,
        ) {
            for presence in [
                Presence::from_the_start(seconds, round).unwrap(),
                Presence::until_the_end(seconds, round).unwrap(),
            ] {
                prop_assert!((0.0..=1.0).contains(&participation_weight(presence, half_life)));
            }
            prop_assert_eq!(weight(0, round, round, half_life), 1.0);
            prop_assert_eq!(weight(0, 0, round, half_life), 0.0);
        }

        #[test]
        fn the_parts_of_a_round_weigh_1_together_and_the_early_one_no_less_than_its_share(
            (round, seconds) in rounds(), half_life in 1..=1_000_000_u32,
        ) {
            let early = weight(0, seconds, round, half_life);
            let late = if seconds == 0 { 1.0 } else { weight(seconds, round, round, half_life) };
            prop_assert!((early + late - 1.0).abs() < 1e-12);
            let share = f64::from(seconds) / f64::from(round);
            prop_assert!(early >= share - 1e-12 && late <= 1.0 - share + 1e-12);
        }

        #[test]
        fn more_of_a_round_never_weighs_less(
            (round, seconds) in rounds(), half_life in 1..=1_000_000_u32,
        ) {
            prop_assume!(seconds > 0);
            let of = |presence: Option<Presence>| participation_weight(presence.unwrap(), half_life);
            for part in [Presence::from_the_start, Presence::until_the_end] {
                prop_assert!(of(part(seconds, round)) >= of(part(seconds - 1, round)));
            }
        }
    }
}
