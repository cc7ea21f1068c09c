//! Splits of known pools, whose smallest differences were found by other methods.

use std::collections::{BTreeMap, HashSet};

use rbs::domain::{PlayerId, Rating, SplitMethod};
use rbs::partition::{Candidate, Limits, Pool, Split, Wishes, greedy, solve};
use serde::Deserialize;

use super::enumeration::enumerate;

/// Maximum steps of the enumeration for one size; the test is not optimised.
///
/// Suffices for every size of up to 15 players. For larger pools it settles the smallest sizes and those with an early
/// difference of zero. For the others, the test only asserts that swaps and the truncated enumeration are never below
/// the optimum.
const STEPS_PER_SIZE: u64 = 260_000;

/// Up to this number of players, every size must be settled.
const ALL_SIZES_UP_TO: usize = 15;

/// Number of rows whose numbers are ratings; the other four exceed [`Rating::MAX`].
const POOLS: usize = 181;

/// Number of sizes of these rows, of 1398, that must be settled.
const SETTLED_AT_LEAST: usize = 1097;

/// The test is not optimised, so tables are small. The limits are equal in every run, because the numbers below depend
/// on them.
const LIMITS: Limits = Limits {
    work: 25_000_000,
    memory: 1 << 29,
};

/// Up to this number of players all tables are computed, with ratings up to 10,000.
const EXACT_UP_TO: usize = 20;

/// Number of pools with such tables, each counted once anchored and once not.
const EXACT_AT_LEAST: usize = 347;

#[derive(Deserialize)]
struct Row {
    n: usize,
    ratings: Vec<i64>,
    class: String,
    /// Smallest difference of every size, with the highest-rated player on a team.
    best: BTreeMap<usize, u64>,
    /// Smallest difference of every size, with no player required to play.
    best_free: BTreeMap<usize, u64>,
}

/// Every row except the first line, which describes the file.
#[expect(clippy::unwrap_used, reason = "a test fails if its vectors are broken")]
fn rows() -> Vec<Row> {
    include_str!("../../vectors/splits.jsonl")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The pool of a row; `None` if a number is not a rating.
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
