use crate::domain::Presence;

/// What being there for a part of a round weighs against the whole of it, 0 to 1: the share of the
/// round's seconds, each counting half of what those `half_life` seconds before it count.
///
/// The whole round weighs 1. Being there early counts more than late, so that joining a lost round
/// near its end costs next to nothing. `half_life` is in seconds; 0 makes every part weigh 1.
///
/// # Design
/// The integral of 2^(-t/h) from s to e, over that from 0 to the end: the first factor is what the
/// start is worth, the second the length. `expm1` keeps the digits of parts that are short against
/// the half-life, where both integrals are differences of numbers near 1; and it makes the whole
/// exactly 1, because both are the same expression.
#[must_use]
pub fn participation_weight(presence: Presence, half_life: u32) -> f64 {
    if half_life == 0 {
        return 1.0;
    }
    let rate = std::f64::consts::LN_2 / f64::from(half_life);
    let length = |seconds: u32| -libm::expm1(-rate * f64::from(seconds));
    let start = libm::exp(-rate * f64::from(presence.begin()));
    let part = start * length(presence.end() - presence.begin());
    (part / length(presence.round_seconds())).clamp(0.0, 1.0)
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
        // Three half-lives weigh 4, 2 and 1 of 7.
        assert!((weight(0, 600, 1800, 600) - 4.0 / 7.0).abs() < 1e-15);
        assert!((weight(0, 1200, 1800, 600) - 6.0 / 7.0).abs() < 1e-15);
        assert!((weight(1200, 1800, 1800, 600) - 1.0 / 7.0).abs() < 1e-15);
    }

    #[test]
    fn with_a_half_life_of_0_every_part_weighs_1() {
        assert_eq!(weight(0, 1, 1800, 0), 1.0);
        assert_eq!(weight(1799, 1800, 1800, 0), 1.0);
    }

    /// A round and a second within it.
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
