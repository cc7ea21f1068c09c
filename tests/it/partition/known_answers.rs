//! The splits against known answers: pools with the smallest difference of every team size, found
//! by other methods.

use std::collections::{BTreeMap, HashSet};

use rbs::domain::{PlayerId, Rating, SplitMethod};
use rbs::partition::{Candidate, Limits, Pool, Split, Wishes, greedy, solve};
use serde::Deserialize;

use super::enumeration::enumerate;

/// Steps that the enumeration may take for one size; the test is not optimised.
///
/// They are enough for every size of up to 15 players. Of larger pools they settle the smallest
/// sizes and those that meet a zero early; the others are too dear for this method, and there only
/// "never below the optimum" is asserted, of the swaps and of what the cut enumeration found.
const STEPS_PER_SIZE: u64 = 260_000;

/// Up to this many players no size may be too dear.
const ALL_SIZES_UP_TO: usize = 15;

/// The rows whose numbers are ratings; the other four go past [`Rating::MAX`].
const POOLS: usize = 181;

/// The sizes of these rows that must be settled, of 1398.
const SETTLED_AT_LEAST: usize = 1097;

/// The test is not optimised, so tables are computed only where they are small. The limits are the
/// same in every run, also the optimised one, because the numbers below depend on them.
const LIMITS: Limits = Limits {
    work: 25_000_000,
    memory: 1 << 29,
};

/// Up to this many players all of them are, with ratings up to 10,000.
const EXACT_UP_TO: usize = 20;

/// How many of the pools, each once anchored and once not, have such tables.
const EXACT_AT_LEAST: usize = 347;

#[derive(Deserialize)]
struct Row {
    n: usize,
    ratings: Vec<i64>,
    class: String,
    /// The smallest difference of every size, the highest-rated player being on a team.
    best: BTreeMap<usize, u64>,
    /// The same where anybody may wait.
    best_free: BTreeMap<usize, u64>,
}

/// Every row but the first line, which says what the file is.
#[expect(
    clippy::unwrap_used,
    reason = "a test fails where its vectors are broken"
)]
fn rows() -> Vec<Row> {
    include_str!("../../vectors/splits.jsonl")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The pool of a row, if every number is a rating.
#[expect(clippy::unwrap_used, reason = "ids count up from the first account")]
fn pool_of(row: &Row) -> Option<Pool> {
    let numbered = (76_561_197_960_265_729..).zip(&row.ratings);
    let candidates: Option<Vec<Candidate>> = numbered
        .map(|(id, &points)| {
            Some(Candidate {
                id: PlayerId::from_steam_id64(id).unwrap(),
                rating: Rating::new(i32::try_from(points).ok()?)?,
            })
        })
        .collect();
    Some(Pool::new(candidates?).unwrap())
}

/// A split is a partition of its pool with equal teams and the highest-rated player on team a.
fn assert_is_split_of(pool: &Pool, split: &Split, size: usize) {
    let everybody = [&split.a[..], &split.b, &split.waiting].concat();
    let seated: HashSet<&Candidate> = everybody.iter().collect();
    let expected: HashSet<&Candidate> = pool.players().iter().collect();
    assert_eq!(everybody.len(), pool.len());
    assert_eq!(seated, expected);
    assert_eq!(
        (split.size, split.a.len(), split.b.len()),
        (size, size, size)
    );
    assert_eq!(split.a.first(), pool.players().first());
    let sum = |team: &[Candidate]| -> i64 {
        let points = team.iter().map(|player| i64::from(player.rating.points()));
        points.sum()
    };
    assert_eq!((split.sum_a, split.sum_b), (sum(&split.a), sum(&split.b)));
    assert_eq!(split.difference, split.sum_a.abs_diff(split.sum_b));
}

#[test]
fn the_enumeration_finds_the_known_optimum_and_greedy_never_beats_it() {
    let (mut pools, mut settled, mut too_dear) = (0, 0, 0);
    for row in rows() {
        let Some(pool) = pool_of(&row) else {
            continue;
        };
        pools += 1;
        assert!(row.best.keys().copied().eq(pool.sizes()));
        for (&size, &best) in &row.best {
            let context = format!("{} players, {}, size {size}", row.n, row.class);

            let swaps = greedy(&pool, size, &Wishes::default()).unwrap();
            assert_is_split_of(&pool, &swaps, size);
            assert!(swaps.difference >= best, "{context}");

            let found = enumerate(&pool, size, STEPS_PER_SIZE);
            let difference = found.best.unwrap().difference;
            if found.complete {
                assert_eq!(difference, best, "{context}");
                settled += 1;
            } else {
                assert!(difference >= best, "{context}");
                assert!(row.n > ALL_SIZES_UP_TO, "{context}");
                too_dear += 1;
            }
        }
    }
    assert_eq!(pools, POOLS);
    assert!(
        settled >= SETTLED_AT_LEAST,
        "{settled}, and {too_dear} too dear"
    );
}

#[test]
fn the_exact_method_finds_every_known_optimum() {
    let mut exact = 0;
    for row in rows() {
        let Some(pool) = pool_of(&row) else {
            continue;
        };
        for anchor in [true, false] {
            let wishes = Wishes {
                anchor,
                ..Wishes::default()
            };
            let best = if anchor { &row.best } else { &row.best_free };
            let splits = solve(&pool, &wishes, &LIMITS).splits;
            if splits
                .iter()
                .any(|split| split.method == SplitMethod::Greedy)
            {
                let is_wide = row.ratings[0] > 10_000;
                assert!(
                    is_wide || row.n > EXACT_UP_TO,
                    "{} players, {}",
                    row.n,
                    row.class
                );
                continue;
            }
            exact += 1;
            assert!(
                splits
                    .iter()
                    .map(|split| split.size)
                    .eq(best.keys().copied())
            );
            for split in splits {
                let context = format!("{} players, {}, size {}", row.n, row.class, split.size);
                assert_eq!(split.difference, best[&split.size], "{context}");
                assert_eq!(
                    split.outcome.best_difference,
                    Some(split.difference),
                    "{context}"
                );
                assert!(split.optimal, "{context}");
                if anchor {
                    assert_is_split_of(&pool, &split, split.size);
                }
            }
        }
    }
    assert!(exact >= EXACT_AT_LEAST, "{exact} tables are exact");
}
