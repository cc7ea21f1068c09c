//! Exact halves, the highest rating, and the last round of the shadow period.

use rbs::domain::{Probability, Rating, Score};
use rbs::rating::{Parameters, new_rating};

fn rated(before: i32, k: f64, score: Score, rounds: u32) -> i32 {
    let before = Rating::new(before).unwrap();
    let parameters = Parameters::default();
    new_rating(before, k, Probability::HALF, score, rounds, &parameters).points()
}

#[test]
fn exact_halves_go_to_the_even_neighbour_from_both_sides() {
    for before in 200..1200 {
        let odd = before % 2;
        for (k, score, even) in [
            (1.0, Score::WIN, before + odd),
            (1.0, Score::LOSS, before - odd),
            // A step of one and a half: rounds to the even neighbor, 1 or 2 away.
            (3.0, Score::WIN, before + 2 - odd),
            (3.0, Score::LOSS, before - 2 + odd),
        ] {
            let after = rated(before, k, score, 1);
            assert_eq!(after, even, "{before}, half of {k} {score:?}");
        }
    }
}

#[test]
fn just_off_a_half_goes_to_the_nearer_neighbour() {
    for before in [1000, 1001] {
        assert_eq!(rated(before, 1.0 - 1e-9, Score::WIN, 1), before);
        assert_eq!(rated(before, 1.0 + 1e-9, Score::WIN, 1), before + 1);
        assert_eq!(rated(before, 1.0 - 1e-9, Score::LOSS, 1), before);
        assert_eq!(rated(before, 1.0 + 1e-9, Score::LOSS, 1), before - 1);
    }
}

#[test]
fn only_the_round_that_ends_the_shadow_period_is_capped() {
    for (rounds, from_2190, from_3000) in [
        (49, 2226, 3036),
        (50, 2200, 2200),
        (51, 2226, 3036),
        (100, 2226, 3036),
    ] {
        assert_eq!(rated(2190, 72.0, Score::WIN, rounds), from_2190, "{rounds}");
        assert_eq!(rated(3000, 72.0, Score::WIN, rounds), from_3000, "{rounds}");
    }
    assert_eq!(rated(2150, 72.0, Score::WIN, 50), 2186);
    assert_eq!(rated(3000, 72.0, Score::LOSS, 50), 2200);
}

#[test]
fn nothing_rises_past_the_highest_rating() {
    assert_eq!(rated(1_000_000, 100_000.0, Score::WIN, 1), 1_000_000);
}
