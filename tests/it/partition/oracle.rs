//! The exact method with all wishes against exhaustive search: every way to seat a few players, compared by the
//! documented order of the wishes.

use proptest::prelude::*;
use rbs::domain::SplitMethod;
use rbs::partition::{Alternatives, Current, Limits, Pool, Split, Wishes, solve};

use super::merits::{Case, Merits, Order, Seats, seats_of};
use super::pools::{pool_of, teams};
use super::wishes::wishes;

/// If at most this number of splits are equal in all other merits (each found twice), the teams must be as alike as
/// possible.
const COMPARED_BY_LIKENESS: usize = 2 * 1000;

/// Tolerance for the error of floating-point sums.
const CLOSE: f64 = 1e-9;

/// Every way to seat two teams of these sizes, in either order.
fn all_seats(players: usize, sizes: (usize, usize)) -> Vec<Seats> {
    fn rest(seats: &mut Seats, left: usize, sizes: (usize, usize), all: &mut Vec<Seats>) {
        let (a, b) = sizes;
        if left < a + b {
            return;
        }
        if left == 0 {
            all.push(seats.clone());
            return;
        }
        let next = [
            a.checked_sub(1).map(|a| (1, (a, b))),
            b.checked_sub(1).map(|b| (-1, (a, b))),
            Some((0, (a, b))),
        ];
        for (seat, sizes) in next.into_iter().flatten() {
            seats.push(seat);
            rest(seats, left - 1, sizes, all);
            seats.pop();
        }
    }
    let mut all = Vec::new();
    rest(&mut Vec::new(), players, sizes, &mut all);
    if sizes.0 != sizes.1 {
        rest(&mut Vec::new(), players, (sizes.1, sizes.0), &mut all);
    }
    all
}

/// Every split of `size` with the anchor, with as few violated hard wishes as possible.
fn all_splits(case: &Case, size: usize) -> Vec<(Seats, Merits)> {
    let all = all_seats(case.players(), case.team_sizes(size)).into_iter();
    let anchored = all.filter(|seats| seats[0] != 0 || !case.is_anchored(size));
    let mut all: Vec<(Seats, Merits)> = anchored
        .map(|seats| {
            let merits = case.merits(&seats);
            (seats, merits)
        })
        .collect();
    let hard = all.iter().map(|(_, merits)| merits.hard).min();
    all.retain(|(_, merits)| Some(merits.hard) == hard);
    all
}

/// Merits of the best of these splits, in the documented order.
fn best_of(case: &Case, all: &[(Seats, Merits)]) -> Merits {
    let within = |limit: i64| {
        let all = all.iter().map(|(_, merits)| merits);
        all.filter(move |one| one.difference <= limit)
    };
    let least = |splits: &dyn Fn(usize) -> bool| -> i64 {
        let all = within(i64::MAX).filter(|one| splits(one.split_parties));
        all.map(|one| one.difference).min().unwrap()
    };
    // The wishes after the newcomers choose from the closest of the remaining splits.
    let best = |limit: i64, order: Order| {
        let first = within(limit).map(|one| one.first_key(order)).min()?;
        let served = within(limit).filter(|one| one.first_key(order) == first);
        let nearest = served.map(|one| one.difference).min()?;
        within(limit.min(nearest + case.tolerance)).min_by_key(|one| one.key(order))
    };
    let fewest = |limit: i64| within(limit).map(|one| one.split_parties).min().unwrap();

    let tolerated = least(&|_| true) + case.first_tolerance;
    let paid_for = tolerated + case.party_price;
    if fewest(paid_for) == fewest(tolerated) {
        return best(tolerated, Order::TurnsFirst).unwrap().clone();
    }
    let kept = least(&|split| split == fewest(paid_for));
    let limit = paid_for.min(kept + case.first_tolerance);
    best(limit, Order::PartiesFirst).unwrap().clone()
}

/// Merits of the best split of `size`, by exhaustive search.
pub fn best(case: &Case, size: usize) -> Merits {
    best_of(case, &all_splits(case, size))
}

/// Sizes that must be answered.
pub fn expected_sizes(pool: &Pool, wishes: &Wishes) -> Vec<usize> {
    let sizes = pool.sizes();
    if wishes.bench {
        sizes.collect()
    } else {
        sizes.last().into_iter().collect()
    }
}

/// A low rating, a typical rating of a real server, or a far higher one.
fn rating() -> impl Strategy<Value = i32> {
    prop_oneof![
        8990..=9010,
        100..=108,
        900..=1100,
        100..=4000,
        (1..=12).prop_map(|step: i32| step * 100)
    ]
}

/// Pools of up to ten players, mostly four to eight, with wishes. Each two additional players take 9 times as long.
pub fn small_case() -> impl Strategy<Value = (Vec<i32>, Wishes)> {
    let players = prop_oneof![20 => 4..=8_usize, 1 => 9..=10_usize];
    let ratings = players.prop_flat_map(|players| prop::collection::vec(rating(), players));
    ratings.prop_flat_map(|ratings| {
        let players = ratings.len();
        (Just(ratings), wishes(players))
    })
}

/// Asserts that the reported outcome matches the split.
fn assert_outcome(case: &Case, wishes: &Wishes, split: &Split, seats: &Seats, merits: &Merits) {
    let outcome = &split.outcome;
    assert_eq!(
        outcome.moves,
        wishes.current.as_ref().map(|_| merits.moves),
        "moves"
    );
    assert_eq!(outcome.split_parties.len(), merits.split_parties);
    assert_eq!(
        outcome.kept_parties.len() + outcome.split_parties.len(),
        case.parties.len()
    );
    assert_eq!(outcome.together.len(), merits.together);
    assert_eq!(
        outcome.benched.len() + outcome.drafted.len(),
        merits.hard,
        "relaxed"
    );
    assert_eq!(outcome.repeats, merits.repeats);
    assert_eq!(outcome.top_two_apart, seats[0] != seats[1] || seats[0] == 0);
    for (deviation, team) in [(outcome.deviation_a, 1), (outcome.deviation_b, -1)] {
        assert!((deviation - case.deviation(seats, team)).abs() < CLOSE);
    }
    let roles = wishes.roles.iter().enumerate();
    let missing: Vec<(&str, usize)> = roles
        .map(|(role, wish)| (wish.name.as_str(), case.missing(role, seats)))
        .filter(|(_, missing)| *missing > 0)
        .collect();
    let answered = outcome.missing_roles.iter();
    let answered: Vec<(&str, usize)> = answered
        .map(|role| (role.name.as_str(), role.missing))
        .collect();
    assert_eq!(answered, missing);
}

proptest! {
    #![proptest_config(super::some_cases())]

    #[test]
    fn nothing_is_better_than_the_exact_answer((ratings, wishes) in small_case()) {
        let pool = pool_of(&ratings);
        let case = Case::new(&pool, &wishes);
        let none = Wishes { anchor: wishes.anchor, bench: wishes.bench, ..Wishes::default() };
        let without = Case::new(&pool, &none);
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let sizes: Vec<usize> = splits.iter().map(|split| split.size).collect();
        prop_assert_eq!(sizes, expected_sizes(&pool, &wishes));
        for split in splits {
            let size = split.size;
            let all = all_splits(&case, size);
            let best = best_of(&case, &all);
            let seats = seats_of(&pool, &split);
            let answer = case.merits(&seats);
            prop_assert_eq!(&answer, &best, "size {}: {:?} is not the best", size, seats);
            prop_assert_eq!(split.method, SplitMethod::Exact);
            prop_assert!(split.optimal);
            assert_outcome(&case, &wishes, &split, &seats, &answer);
            let least = best_of(&without, &all_splits(&without, size)).difference;
            prop_assert_eq!(split.outcome.best_difference, Some(least.unsigned_abs()));

            let ties = || all.iter().filter(|(_, merits)| *merits == best);
            if wishes.spread && ties().count() <= COMPARED_BY_LIKENESS {
                let most_alike = ties().map(|(seats, _)| case.unlikeness(seats));
                let most_alike = most_alike.min_by(f64::total_cmp).unwrap();
                let answered = case.unlikeness(&seats);
                prop_assert!(
                    answered < most_alike + CLOSE,
                    "size {}: {:?} are unlike by {} instead of {}", size, seats, answered, most_alike
                );
            }
        }
    }

    #[test]
    fn what_was_answered_before_is_not_repeated_without_need(
        (ratings, wishes) in small_case(), times in 1..4_usize,
    ) {
        let pool = pool_of(&ratings);
        let mut wishes = wishes;
        for _ in 0..times {
            for split in solve(&pool, &wishes, &Limits::default()).splits {
                let (a, b) = teams(&split);
                wishes.recent.push(Current { a, b });
            }
        }
        let case = Case::new(&pool, &wishes);
        for split in solve(&pool, &wishes, &Limits::default()).splits {
            let answer = case.merits(&seats_of(&pool, &split));
            prop_assert_eq!(answer, best(&case, split.size), "size {}", split.size);
        }
    }

    #[test]
    fn alternatives_are_the_best_ones((ratings, wishes) in small_case(), count in 1..30_usize) {
        let pool = pool_of(&ratings);
        let size = pool.len() / 2;
        let wishes = Wishes {
            alternatives: Some(Alternatives { size, count }),
            tolerance: 0,
            newcomers_price: 0,
            party_price: 0,
            recent: Vec::new(),
            spread: false,
            ..wishes
        };
        let case = Case::new(&pool, &wishes);
        let table = solve(&pool, &wishes, &Limits::default());
        let all = all_splits(&case, size);
        // Each split once: the best active player is on the first team.
        let leads = |seats: &Seats| seats.iter().find(|seat| **seat != 0) == Some(&1);
        let once = all.into_iter().filter(|(seats, _)| leads(seats));
        let key = |merits: &Merits| (merits.difference, merits.key(Order::TurnsFirst));
        let mut expected: Vec<_> = once.map(|(_, merits)| key(&merits)).collect();
        expected.sort();
        expected.truncate(count);
        let alternatives = &table.alternatives;
        prop_assert_eq!(alternatives.first(), table.splits.last());
        let answered = alternatives.iter().map(|split| key(&case.merits(&seats_of(&pool, split))));
        prop_assert_eq!(answered.collect::<Vec<_>>(), expected);
        let mut distinct: Vec<_> = alternatives.iter().map(teams).collect();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), alternatives.len());
    }
}
