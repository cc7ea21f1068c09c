//! Guarantees for players that hold for all inputs.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rbs::domain::{PlayerId, Score, Side, Winner};
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

fn by_player(played: &Played) -> BTreeMap<PlayerId, Rated> {
    let results = played.results.iter();
    results.map(|result| (result.id, result.rated)).collect()
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
    fn both_teams_probabilities_sum_to_one(scene in scene()) {
        let predicted = scene.played().predicted;
        prop_assert_eq!(predicted.get() + predicted.complement().get(), 1.0);
        for result in scene.played().results {
            let own = match result.side {
                Side::A => predicted,
                Side::B => predicted.complement(),
            };
            prop_assert_eq!(result.expected, own);
        }
    }

    #[test]
    fn swapping_the_teams_and_the_winner_changes_nobody_s_result(scene in scene()) {
        let mirrored = Scene {
            projection: scene.projection.clone(),
            winner: match scene.winner {
                Winner::A => Winner::B,
                Winner::B => Winner::A,
                Winner::Draw => Winner::Draw,
            },
            team_a: scene.team_b.clone(),
            team_b: scene.team_a.clone(),
        };
        let (one, other) = (scene.played(), mirrored.played());
        prop_assert_eq!(one.predicted, other.predicted.complement());
        prop_assert_eq!(by_player(&one), by_player(&other));
    }

    #[test]
    fn the_order_within_a_team_changes_nothing(
        (scene, team_a, team_b) in scene().prop_flat_map(|scene| {
            let team_a = Just(scene.team_a.clone()).prop_shuffle();
            let team_b = Just(scene.team_b.clone()).prop_shuffle();
            (Just(scene), team_a, team_b)
        }),
    ) {
        let shuffled = Scene { team_a, team_b, ..scene.clone() };
        prop_assert_eq!(by_player(&scene.played()), by_player(&shuffled.played()));
    }

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

    #[test]
    fn a_round_counts_once_for_participants_and_not_at_all_for_others(scene in scene()) {
        let mut after = scene.projection.clone();
        after.play(scene.winner, &scene.team_a, &scene.team_b);
        for entry in scene.team_a.iter().chain(&scene.team_b) {
            let (old, new) = (&scene.projection.players[&entry.id], &after.players[&entry.id]);
            if entry.participated {
                prop_assert_eq!(new.rounds, old.rounds + 1);
            } else {
                prop_assert_eq!((new.rating, new.rounds), (old.rating, old.rounds));
                prop_assert_eq!(new.last(), old.last());
            }
        }
    }
}
