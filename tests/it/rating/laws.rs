//! Guarantees for players that hold for all inputs.

use proptest::prelude::*;
use rbs::domain::{Score, Winner};
use rbs::rating::{Parameters, Rated};

use super::generate::{Scene, scene};
use super::projection::{Played, Result};

impl Scene {
    fn played(&self) -> Played {
        self.projection
            .clone()
            .play(self.winner, &self.team_a, &self.team_b)
    }
}

/// `true` if the round ended the shadow period at the cap.
fn capped(result: &Result, parameters: &Parameters) -> bool {
    result.rounds_before + 1 == parameters.shadow_rounds
        && result.rated.rating == parameters.graduation_cap
}

/// The rating did not fall, except by the cap.
fn no_fall(result: &Result, parameters: &Parameters) -> bool {
    result.rated.rating >= result.before || capped(result, parameters)
}

/// The rating did not rise, except by the floor.
fn no_rise(result: &Result, parameters: &Parameters) -> bool {
    result.rated.rating <= result.before || result.rated.rating == parameters.min_rating
}

proptest! {
    #[test]
    fn winners_never_fall_and_losers_never_rise(scene in scene()) {
        let parameters = &scene.projection.parameters;
        for result in scene.played().results {
            if result.score == Score::WIN {
                prop_assert!(no_fall(&result, parameters), "{result:?}");
            } else if result.score == Score::LOSS {
                prop_assert!(no_rise(&result, parameters), "{result:?}");
            }
        }
    }

    #[test]
    fn a_draw_never_lifts_the_favourite_nor_sinks_the_underdog(scene in scene()) {
        let drawn = Scene { winner: Winner::Draw, ..scene };
        let parameters = &drawn.projection.parameters;
        for result in drawn.played().results {
            if result.expected.get() >= 0.5 {
                prop_assert!(no_rise(&result, parameters), "{result:?}");
            }
            if result.expected.get() <= 0.5 {
                prop_assert!(no_fall(&result, parameters), "{result:?}");
            }
        }
    }

    #[test]
    fn the_floor_holds_and_so_does_the_cap_in_its_one_round(scene in scene()) {
        let parameters = &scene.projection.parameters;
        for result in scene.played().results {
            prop_assert!(result.rated.rating >= parameters.min_rating, "{result:?}");
            if result.rated.rounds == parameters.shadow_rounds {
                prop_assert!(result.rated.rating <= parameters.graduation_cap, "{result:?}");
            }
        }
    }

    #[test]
    fn c_lies_in_0_to_1_and_k_between_its_ends(scene in scene()) {
        let parameters = &scene.projection.parameters;
        for result in scene.played().results {
            let Rated { k, convergence, .. } = result.rated;
            prop_assert!((0.0..=1.0).contains(&convergence.score), "{result:?}");
            prop_assert!((parameters.k_min..=parameters.k_max).contains(&k), "{result:?}");
            for signal in [
                convergence.velocity,
                convergence.win_rate_excess,
                convergence.volatility,
            ] {
                prop_assert!(signal.is_finite() && signal >= 0.0, "{result:?}");
            }
        }
    }

    #[test]
    fn how_a_round_ends_does_not_change_the_k_that_it_is_rated_with(scene in scene()) {
        let factors = |winner| {
            let played = Scene { winner, ..scene.clone() }.played();
            let results = played.results.into_iter();
            results.map(|result| result.rated.k).collect::<Vec<_>>()
        };
        prop_assert_eq!(factors(Winner::A), factors(Winner::B));
        prop_assert_eq!(factors(Winner::A), factors(Winner::Draw));
    }
}
