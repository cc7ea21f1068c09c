//! The best player plays, unless a wish says otherwise.

use rbs::partition::{Limits, Wishes, solve};

use super::super::pools::{players, pool_of};
use super::{split, waiting};

#[test]
fn nobody_takes_the_place_of_the_best_player_who_must_wait() {
    let pool = pool_of(&[3000, 1100, 1000, 1000, 1000, 1000]);
    let wishes = Wishes {
        must_wait: players([1]),
        must_play: players(3..=6),
        sizes: Some(vec![2]),
        ..Wishes::default()
    };
    let split = split(&pool, &wishes);
    assert_eq!(waiting(&split), [1, 2]);
    assert_eq!(split.difference, 0);
    assert!(split.outcome.benched.is_empty() && split.outcome.drafted.is_empty());

    let wishes = Wishes {
        must_play: Vec::new(),
        ..wishes
    };
    assert_eq!(super::split(&pool, &wishes).difference, 0);
}

#[test]
fn the_best_player_waits_where_all_places_are_taken_by_those_who_must_play() {
    let pool = pool_of(&[3000, 1000, 1000, 1000, 1000, 1000]);
    let wishes = Wishes {
        must_play: players(3..=6),
        ..Wishes::default()
    };
    let splits = solve(&pool, &wishes, &Limits::default()).splits;
    assert_eq!(waiting(&splits[0]), [1, 2], "2 v 2");
    assert!(splits[0].outcome.benched.is_empty());
    assert_eq!(waiting(&splits[1]), [0; 0], "3 v 3");

    let wishes = Wishes {
        must_play: players(3..=5),
        sizes: Some(vec![2]),
        ..Wishes::default()
    };
    assert_eq!(waiting(&split(&pool, &wishes)), [2, 6]);
}

#[test]
fn the_best_player_plays_where_too_many_must_play_and_that_player_too() {
    let pool = pool_of(&[3000, 1000, 1000, 1000, 1000, 1000]);
    let wishes = Wishes {
        must_play: players([1, 3, 4, 5, 6]),
        sizes: Some(vec![2]),
        ..Wishes::default()
    };
    let anchored = split(&pool, &wishes);
    assert!(!waiting(&anchored).contains(&1));
    assert_eq!(
        (anchored.difference, anchored.outcome.benched.len()),
        (2000, 1)
    );

    let free = Wishes {
        anchor: false,
        ..wishes
    };
    let free = split(&pool, &free);
    assert_eq!((waiting(&free), free.difference), (vec![1, 2], 0));
}

#[test]
fn the_least_difference_without_wishes_keeps_the_best_player_who_must_wait() {
    let pool = pool_of(&[9241, 1217, 1217, 1217, 1217]);
    let wishes = Wishes {
        must_wait: players([1]),
        ..Wishes::default()
    };
    let anchored = split(&pool, &wishes);
    assert_eq!(anchored.difference, 0);
    assert_eq!(anchored.outcome.best_difference, Some(8024));

    let free = Wishes {
        anchor: false,
        ..wishes
    };
    assert_eq!(split(&pool, &free).outcome.best_difference, Some(0));
}
