//! Splits in which one side has an advantage, against exhaustive search.

use proptest::prelude::*;
use rbs::domain::{Handicap, SplitMethod};
use rbs::partition::{Alternatives, Limits, Split, Wishes, solve};

use super::pools::{hard_ratings, points, pool_of};

/// Distance from even of every way to seat two teams of these sizes, in either order. If `is_anchored`, the first
/// player must play.
fn all_distances(
    points: &[i64],
    counts: &[(usize, usize)],
    is_anchored: bool,
    handicap: Handicap,
) -> Vec<u64> {
    fn rest(
        points: &[i64],
        (a, b): (usize, usize),
        must_play: bool,
        sum: i64,
        found: &mut Vec<i64>,
    ) {
        let Some((first, others)) = points.split_first() else {
            if (a, b) == (0, 0) {
                found.push(sum);
            }
            return;
        };
        if let Some(a) = a.checked_sub(1) {
            rest(others, (a, b), false, sum + first, found);
        }
        if let Some(b) = b.checked_sub(1) {
            rest(others, (a, b), false, sum - first, found);
        }
        if !must_play {
            rest(others, (a, b), false, sum, found);
        }
    }
    let mut all = Vec::new();
    for &(a, b) in counts {
        let mut found = Vec::new();
        rest(points, (a, b), is_anchored, 0, &mut found);
        let (a, b) = (i64::try_from(a).unwrap(), i64::try_from(b).unwrap());
        let known = handicap.lean - (a - b) * handicap.extra_player;
        all.extend(found.iter().map(|sum| (sum + known).unsigned_abs()));
    }
    all.sort_unstable();
    all
}

fn distance(split: &Split, handicap: Handicap) -> u64 {
    let (a, b) = (split.a.len(), split.b.len());
    let more = i64::try_from(a).unwrap() - i64::try_from(b).unwrap();
    let lead = split.sum_a - split.sum_b - more * handicap.extra_player;
    (lead + handicap.lean).unsigned_abs()
}

proptest! {
    #![proptest_config(super::some_cases())]

    #[test]
    fn the_split_that_is_nearest_to_even_is_found_and_stands_the_right_way_round(
        ratings in hard_ratings(4..=9),
        lean in -700_i64..=700,
        anchor in any::<bool>(),
    ) {
        let handicap = Handicap { lean, extra_player: 0 };
        let pool = pool_of(&ratings).with_handicap(handicap);
        let wishes = Wishes { anchor, ..Wishes::default() };
        for split in solve(&pool, &wishes, &Limits::default()).splits {
            let counts = [(split.size, split.size)];
            let all = all_distances(&points(&pool), &counts, anchor, handicap);
            prop_assert_eq!(split.method, SplitMethod::Exact);
            prop_assert_eq!(split.difference, all[0], "{:?}", split);
            prop_assert_eq!(distance(&split, handicap), all[0], "{:?}", split);
            prop_assert_eq!(split.outcome.best_difference, Some(all[0]));
        }
    }

    #[test]
    fn of_an_odd_number_an_extra_player_counts_as_the_model_says(
        ratings in hard_ratings(5..=9),
        lean in -300_i64..=300,
        extra_player in 500_i64..=1_100,
    ) {
        prop_assume!(ratings.len() % 2 == 1);
        let handicap = Handicap { lean, extra_player };
        let pool = pool_of(&ratings).with_handicap(handicap);
        let wishes = Wishes { bench: false, ..Wishes::default() };
        let split = solve(&pool, &wishes, &Limits::default()).splits.remove(0);
        let counts = [(split.size, split.size + 1), (split.size + 1, split.size)];
        let all = all_distances(&points(&pool), &counts, true, handicap);
        prop_assert_eq!(split.difference, all[0], "{:?}", split);
        prop_assert_eq!(distance(&split, handicap), all[0], "{:?}", split);
    }

    #[test]
    fn alternatives_are_the_next_nearest(
        ratings in hard_ratings(12..=12),
        lean in -700_i64..=700,
    ) {
        let handicap = Handicap { lean, extra_player: 0 };
        let pool = pool_of(&ratings).with_handicap(handicap);
        let wishes = Wishes {
            sizes: Some(vec![3]),
            alternatives: Some(Alternatives { size: 3, count: 6 }),
            ..Wishes::default()
        };
        let table = solve(&pool, &wishes, &Limits::default());
        let all = all_distances(&points(&pool), &[(3, 3)], true, handicap);
        let found: Vec<u64> = table.alternatives.iter().map(|split| split.difference).collect();
        for split in &table.alternatives {
            prop_assert_eq!(distance(split, handicap), split.difference);
        }
        prop_assert_eq!(found[0], all[0]);
        prop_assert!(found.is_sorted());
        // A split is the nearer of its two orientations, so every alternative is among the best of all seatings.
        let mut nearest: Vec<u64> = all;
        nearest.truncate(2 * found.len());
        prop_assert!(found.last() <= nearest.last(), "{:?} {:?}", found, nearest);
    }

    #[test]
    fn swaps_go_by_the_same_distance(
        ratings in hard_ratings(4..=24),
        lean in -700_i64..=700,
    ) {
        let handicap = Handicap { lean, extra_player: 0 };
        let limits = Limits { work: 0, memory: 0 };
        let pool = pool_of(&ratings).with_handicap(handicap);
        for split in solve(&pool, &Wishes::default(), &limits).splits {
            prop_assert_eq!(distance(&split, handicap), split.difference, "{:?}", split);
        }
    }

    #[test]
    fn without_a_handicap_nothing_changes(ratings in hard_ratings(4..=10)) {
        let pool = pool_of(&ratings);
        let same = pool.clone().with_handicap(Handicap::default());
        let wishes = Wishes::default();
        let solved = solve(&pool, &wishes, &Limits::default());
        prop_assert_eq!(solved, solve(&same, &wishes, &Limits::default()));
    }
}
