//! Pools too large for exhaustive search, against the slow dynamic program.

use proptest::prelude::*;
use rbs::partition::{Current, Limits, Role, Wishes, solve};

use super::dice::Dice;
use super::merits::{Case, seats_of};
use super::oracle::{self, small_case};
use super::pools::{player, players, pool_of};
use super::slow_program;

/// Number of pools; each is split into teams of one size.
const CASES: u64 = 300;

/// Maximum number of pools that are too large for the slow program, and of unproven answers.
const TOO_LARGE_AT_MOST: usize = 60;
const UNPROVEN_AT_MOST: usize = 1;

/// Larger tables take the slow program more than about a second.
const MAX_CELLS: usize = 6_000_000;

/// Ratings with few distinct differences: close together, or multiples of a number.
fn ratings(players: usize, dice: &mut Dice) -> Vec<i32> {
    let (span, unit) = if players <= 20 {
        dice.pick(&[(60, 1), (400, 1), (60, 25), (7, 100)])
    } else {
        dice.pick(&[(40, 1), (100, 1), (60, 10), (12, 50), (200, 1)])
    };
    let lowest = dice.pick(&[100, 900, 4000]);
    let rating = |_| lowest + unit * i32::try_from(dice.roll(span)).unwrap();
    (0..players).map(rating).collect()
}

/// Wishes of every kind except `recent`; a pair apart may be in one party.
fn wishes(of: usize, dice: &mut Dice) -> Wishes {
    let mut left = dice.shuffled(of);
    let mut parties = Vec::new();
    for _ in 0..dice.roll(6) {
        let size = 2 + dice.roll(4);
        if left.len() >= size {
            parties.push(players(left.drain(..size)));
        }
    }
    let mut apart = Vec::new();
    for _ in 0..dice.roll(7) {
        let pair = dice.shuffled(of);
        apart.push([player(pair[0]), player(pair[1])]);
    }
    let current = (dice.roll(3) > 0).then(|| {
        let mut all = dice.shuffled(of);
        all.truncate(of - dice.roll(of / 2));
        let b = all.split_off(all.len() / 2);
        Current {
            a: players(all),
            b: players(b),
        }
    });
    let most = dice.pick(&[0, 2, of / 2]);
    let must_play = dice.some(most, of);
    let bench = dice.roll(5) > 0;
    let mut must_wait = if bench { dice.some(3, of) } else { Vec::new() };
    must_wait.retain(|number| !must_play.contains(number));
    let levels: [u32; 4] = dice.pick(&[[0; 4], [0, 0, 1, 2], [1, 2, 3, 4], [0, 1, 3, 7]]);
    let waited = (1..=of as u64).map(|number| (player(number), dice.pick(&levels)));
    let waited = waited.collect();
    let newcomers = dice.pick(&[0, 0, 2, of / 3, of]);
    let newcomers = players(dice.some(newcomers, of));
    let names = ["healer", "pilot", "commander"];
    let role = |name: &str, dice: &mut Dice| Role {
        name: name.to_owned(),
        players: players(dice.some(6, of)),
        each: 1 + dice.roll(2),
    };
    let roles = dice.pick(&[0, 0, 1, 2, 3]);
    let roles = names[..roles].iter().map(|name| role(name, dice)).collect();
    Wishes {
        current,
        parties,
        newcomers,
        newcomers_price: dice.pick(&[20, 100]),
        party_price: dice.pick(&[0, 20, 100, 1000]),
        apart,
        must_play: players(must_play),
        must_wait: players(must_wait),
        waited,
        tolerance: dice.pick(&[0, 0, 5, 50, 300]),
        spread: dice.roll(2) == 0,
        roles,
        anchor: dice.roll(2) == 0,
        bench,
        ..Wishes::default()
    }
}

#[test]
fn larger_pools_agree_with_the_slow_program() {
    let (mut compared, mut too_large, mut unproven) = (0, 0, 0);
    for seed in 0..CASES {
        let mut dice = Dice::new(seed);
        let count = dice.pick(&[12, 12, 12, 23]) + dice.roll(18);
        let ratings = ratings(count, &mut dice);
        let pool = pool_of(&ratings);
        let mut wishes = wishes(count, &mut dice);
        let size = 2 + dice.roll(count / 2 - 1);
        wishes.sizes = wishes.bench.then(|| vec![size]);
        let context = || format!("seed {seed}: {ratings:?}, {wishes:?}");

        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let [split] = splits.as_slice() else {
            panic!("{} splits: {}", splits.len(), context());
        };
        let case = Case::new(&pool, &wishes);
        let none = Wishes {
            anchor: wishes.anchor,
            bench: wishes.bench,
            ..Wishes::default()
        };
        let least = slow_program::least_difference(&Case::new(&pool, &none), split.size, MAX_CELLS);
        let Some((best, least)) = slow_program::best(&case, split.size, MAX_CELLS).zip(least)
        else {
            too_large += 1;
            continue;
        };
        compared += 1;
        let best_difference = split.outcome.best_difference;
        assert!(
            best_difference.is_none_or(|known| known == least.unsigned_abs()),
            "{best_difference:?} instead of {least}: {}",
            context()
        );
        if split.optimal {
            let answer = case.merits(&seats_of(&pool, split));
            assert_eq!(answer, best, "size {}, {}", split.size, context());
        } else {
            unproven += 1;
        }
    }
    assert!(
        too_large <= TOO_LARGE_AT_MOST,
        "{too_large} are not compared"
    );
    assert!(
        unproven <= UNPROVEN_AT_MOST,
        "{unproven} of {compared} are not proven"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_slow_program_agrees_with_trying_everything((ratings, wishes) in small_case()) {
        let wishes = Wishes { recent: Vec::new(), ..wishes };
        let pool = pool_of(&ratings);
        let case = Case::new(&pool, &wishes);
        for size in oracle::expected_sizes(&pool, &wishes) {
            let best = oracle::best(&case, size);
            prop_assert_eq!(slow_program::best(&case, size, usize::MAX), Some(best), "size {}", size);
        }
    }
}
