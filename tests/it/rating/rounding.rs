//! Exact halves, the floor, and the last round of the shadow period.

use rbs::domain::{Probability, Rating, Score};
use rbs::rating::{Parameters, Standing, Window, new_rating, rate};

fn rated(before: i32, k: f64, score: Score, rounds: u32) -> i32 {
    let before = Rating::new(before).unwrap();
    let parameters = Parameters::default();
    new_rating(before, k, Probability::HALF, score, rounds, &parameters).points()
}

#[test]
fn exact_halves_go_to_the_even_neighbour_from_both_sides() {
    for before in 200..1200 {
        let even_above = before + before % 2;
        let even_below = before - before % 2;
        assert_eq!(
            rated(before, 1.0, Score::WIN, 1),
            even_above,
            "{before} + 0.5"
        );
        assert_eq!(
            rated(before, 1.0, Score::LOSS, 1),
            even_below,
            "{before} - 0.5"
        );
        // A step of one and a half: rounds to the even neighbor, 1 or 2 away.
        let far_above = before + 2 - before % 2;
        let far_below = before - 2 + before % 2;
        assert_eq!(
            rated(before, 3.0, Score::WIN, 1),
            far_above,
            "{before} + 1.5"
        );
        assert_eq!(
            rated(before, 3.0, Score::LOSS, 1),
            far_below,
            "{before} - 1.5"
        );
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
fn a_draw_at_even_odds_moves_nobody() {
    for before in [100, 101, 999, 1000, 9999] {
        assert_eq!(rated(before, 72.0, Score::DRAW, 1), before);
    }
}

#[test]
fn the_floor_stops_a_fall_and_lifts_who_was_set_below_it() {
    assert_eq!(rated(120, 72.0, Score::LOSS, 1), 100);
    assert_eq!(rated(100, 72.0, Score::LOSS, 1), 100);
    assert_eq!(rated(20, 72.0, Score::LOSS, 1), 100);
    assert_eq!(rated(20, 72.0, Score::WIN, 1), 100);
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
fn the_round_being_rated_is_the_one_that_reaches_the_end_of_the_shadow_period() {
    let parameters = Parameters::default();
    for (rounds_before, expected) in [(48, 2236), (49, 2200), (50, 2236)] {
        let standing = Standing {
            rating: Rating::from_rounded(2200.0),
            rounds: rounds_before,
            window: Window::default(),
            since_return: None,
        };
        // No compression, so K is Kmax and the step is 36.
        let flat = Parameters {
            sigma: 1e6,
            ..parameters.clone()
        };
        let after = rate(&standing, Probability::HALF, Score::WIN, 1.0, &flat);
        assert_eq!(after.rating.points(), expected);
        assert_eq!(after.rounds, rounds_before + 1);
    }
}

#[test]
fn without_a_shadow_period_nothing_is_capped() {
    let parameters = Parameters {
        shadow_rounds: 0,
        ..Parameters::default()
    };
    let before = Rating::from_rounded(3000.0);
    for rounds in [1, 50, 51] {
        let after = new_rating(
            before,
            72.0,
            Probability::HALF,
            Score::WIN,
            rounds,
            &parameters,
        );
        assert_eq!(after.points(), 3036);
    }
}

#[test]
fn nothing_rises_past_the_highest_rating() {
    assert_eq!(rated(1_000_000, 100_000.0, Score::WIN, 1), 1_000_000);
}
