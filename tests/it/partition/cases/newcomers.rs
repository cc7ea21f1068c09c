//! Distribution of newcomers between the teams.

use rbs::partition::{Limits, Role, SharedNewcomers, Split, Wishes, solve};

use super::super::dice::Dice;
use super::super::pools::{player, players, pool_of};
use super::{assert_best, split};

/// Number of random lobbies of known players and newcomers at 1000.
const LOBBIES: usize = 200;

fn shared(newcomers: impl IntoIterator<Item = u64>, newcomers_price: u32) -> Wishes {
    Wishes {
        newcomers: players(newcomers),
        newcomers_price,
        ..Wishes::default()
    }
}

/// Number of newcomers on both teams, the smaller first, and the cost of distributing them.
fn counts(split: &Split) -> (usize, usize, Option<u64>) {
    let SharedNewcomers { a, b, cost } = split.outcome.newcomers.unwrap();
    (a.min(b), a.max(b), cost)
}

/// Number of lobbies in which all newcomers are on one team, and the mean excess of the difference over the minimum in
/// points.
fn drawn(known: usize, newcomers: usize, price: u32) -> (usize, f64) {
    let mut dice = Dice::new(23);
    let (mut together, mut cost) = (0, 0);
    for _ in 0..LOBBIES {
        let ratings = (0..known).map(|_| dice.between(700, 1300));
        let ratings: Vec<i32> = ratings
            .chain(std::iter::repeat_n(1000, newcomers))
            .collect();
        let new = players(known as u64 + 1..=ratings.len() as u64);
        let wishes = Wishes {
            newcomers: new.clone(),
            newcomers_price: price,
            sizes: Some(vec![ratings.len() / 2]),
            ..Wishes::default()
        };
        let split = split(&pool_of(&ratings), &wishes);
        let are_together = [&split.a, &split.b]
            .iter()
            .any(|team| new.iter().all(|id| team.iter().any(|one| one.id == *id)));
        together += usize::from(are_together);
        cost += u32::try_from(split.difference - split.outcome.best_difference.unwrap()).unwrap();
    }
    (
        together,
        f64::from(cost) / f64::from(u32::try_from(LOBBIES).unwrap()),
    )
}

#[test]
fn four_newcomers_of_sixteen_players_are_seldom_together() {
    let (before, free) = drawn(12, 4, 0);
    let (together, cost) = drawn(12, 4, 20);
    println!("together in {before} of {LOBBIES}, shared in {together} for {cost} points");
    assert!(
        before * 100 >= 15 * LOBBIES,
        "{before}: a lobby without the fault"
    );
    assert!(free < f64::EPSILON);
    assert!(together * 100 <= 5 * LOBBIES, "{together}");
    assert!(cost <= 3.0, "{cost}");
}

#[test]
fn two_newcomers_of_four_players_are_apart_for_their_price_and_not_for_more() {
    let pool = pool_of(&[1010, 990, 1000, 1000]);
    let apart = split(&pool, &shared([3, 4], 20));
    assert_eq!((apart.difference, counts(&apart)), (20, (1, 1, Some(20))));
    assert_eq!(apart.outcome.best_difference, Some(0));
    let together = split(&pool, &shared([3, 4], 19));
    assert_eq!(
        (together.difference, counts(&together)),
        (0, (0, 2, Some(0)))
    );
    let off = split(&pool, &shared([3, 4], 0));
    assert_eq!(off, split(&pool, &Wishes::default()));
}

#[test]
fn of_an_odd_number_one_team_has_one_more() {
    let pool = pool_of(&[1300, 1250, 1240, 1000, 1000, 1000, 990, 700]);
    for wishes in [shared([4, 5, 6], 100), shared([4, 5, 6, 7, 8], 100)] {
        for split in assert_best(&pool, &wishes) {
            let (fewer, more, _) = counts(&split);
            assert!(more - fewer <= 1, "size {}", split.size);
        }
    }
}

#[test]
fn a_single_newcomer_and_a_lobby_of_newcomers_change_nothing() {
    let pool = pool_of(&[1310, 1250, 1240, 1000, 1000, 990, 720]);
    let without = solve(&pool, &Wishes::default(), &Limits::default());
    for newcomers in [vec![4], vec![9], (1..=7).collect(), (2..=7).collect()] {
        let with = solve(&pool, &shared(newcomers, 100), &Limits::default());
        assert_eq!(with, without);
    }
}

#[test]
fn a_party_of_newcomers_stays_together_and_the_others_are_on_the_other_team() {
    let pool = pool_of(&[1300, 1200, 1100, 1050, 1000, 1000, 1000, 1000]);
    let party = |members| Wishes {
        parties: vec![players(members)],
        sizes: Some(vec![4]),
        ..shared(5..=8, 100)
    };
    let two = split(&pool, &party(5..=6));
    assert_eq!((two.outcome.kept_parties.len(), counts(&two).0), (1, 2));
    let three = split(&pool, &party(5..=7));
    assert_eq!((three.outcome.kept_parties.len(), counts(&three).0), (1, 1));
    let all = party(5..=8);
    let without = Wishes {
        newcomers: Vec::new(),
        ..all.clone()
    };
    assert_eq!(split(&pool, &all), split(&pool, &without));
}

#[test]
fn whoever_may_wait_is_not_sent_there_for_being_shared_out() {
    let pool = pool_of(&[1010, 1010, 1000, 1000, 1000, 1000, 730, 610, 100]);
    let splits = assert_best(&pool, &shared(3..=6, 20));
    assert_eq!(counts(&splits[1]), (2, 2, Some(0)));
    for wishes in [shared(3..=6, 20), shared([1, 3, 5, 7], 100)] {
        assert_best(
            &pool,
            &Wishes {
                anchor: false,
                ..wishes
            },
        );
    }
}

#[test]
fn roles_and_pairs_come_first_and_the_two_best_behind() {
    let pool = pool_of(&[1010, 990, 1000, 1000]);
    let role = |name: &str, numbers: [u64; 2]| Role {
        name: name.to_owned(),
        players: players(numbers),
        each: 1,
    };
    // Each team has a healer and a pilot only if the two newcomers are on one team.
    let roles = Wishes {
        roles: vec![role("healer", [1, 3]), role("pilot", [1, 4])],
        ..shared([3, 4], 100)
    };
    assert_eq!(counts(&split(&pool, &roles)), (0, 2, Some(0)));
    let pairs = Wishes {
        apart: vec![[player(1), player(3)], [player(1), player(4)]],
        ..shared([3, 4], 100)
    };
    assert_eq!(counts(&split(&pool, &pairs)), (0, 2, Some(0)));
    let best = pool_of(&[1010, 1005, 1000, 1000]);
    let shared = split(&best, &shared([3, 4], 20));
    assert!(shared.outcome.top_two_apart);
}

#[test]
fn of_many_newcomers_the_others_are_shared_out_and_parties_across_are_kept() {
    let ratings = [
        1390, 1310, 1250, 1201, 1000, 1000, 1000, 1000, 1000, 1000, 990, 985, 700, 650,
    ];
    let pool = pool_of(&ratings);
    for newcomers in [5..=14, 4..=11] {
        assert_best(&pool, &shared(newcomers.clone(), 20));
        let wishes = Wishes {
            parties: vec![players([1, 6]), players([2, 7]), players([3, 12])],
            apart: vec![[player(4), player(8)]],
            ..shared(newcomers, 20)
        };
        assert_best(&pool, &wishes);
    }
}
