//! Laws of splits, on pools too large for exhaustive search.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use proptest::prelude::*;
use rbs::domain::{PlayerId, SplitMethod};
use rbs::partition::{
    Alternatives, Candidate, Current, Limits, Pool, Role, Split, Wishes, greedy, solve,
};

use super::enumeration::enumerate;
use super::merits::Case;
use super::oracle::expected_sizes;
use super::pools::{candidates, player, players, pool_of, teams};
use super::wishes::wishes;

/// Ratings close together, in steps, or in distant clusters.
fn ratings() -> impl Strategy<Value = Vec<i32>> {
    let cluster = prop::sample::select(vec![100, 3400, 9000]);
    let in_clusters = (cluster, 0..10).prop_map(|(cluster, more): (i32, i32)| cluster + more);
    prop_oneof![
        prop::collection::vec(in_clusters, 4..=16),
        prop::collection::vec(700..=1300, 4..=16),
        prop::collection::vec((1..=20).prop_map(|step: i32| 100 * step), 4..=16),
    ]
}

fn case() -> impl Strategy<Value = (Vec<i32>, Wishes)> {
    ratings().prop_flat_map(|ratings| {
        let players = ratings.len();
        (Just(ratings), wishes(players))
    })
}

/// Up to four parties: players 1 and 2, 3 and 4 and so on.
fn parties_of_two(among: usize) -> Vec<Vec<PlayerId>> {
    let pairs = 0..among.min(8) as u64 / 2;
    pairs
        .map(|pair| players([2 * pair + 1, 2 * pair + 2]))
        .collect()
}

/// Sum of the tolerances of all wishes except parties.
fn tolerance(wishes: &Wishes) -> u32 {
    wishes.tolerance.max(wishes.newcomers_price)
}

/// Number of role players that the teams lack.
fn missing_of_roles(split: &Split) -> usize {
    let roles = split.outcome.missing_roles.iter();
    roles.map(|role| role.missing).sum()
}

/// Figures of a split that are independent of names.
fn figures(split: &Split) -> impl PartialEq + std::fmt::Debug + use<> {
    let outcome = &split.outcome;
    (
        (split.size, split.difference, split.optimal),
        (
            outcome.moves,
            outcome.split_parties.len(),
            outcome.together.len(),
            missing_of_roles(split),
        ),
        (
            outcome.benched.len(),
            outcome.drafted.len(),
            outcome.repeats,
        ),
        outcome.best_difference,
    )
}

/// Two parties of four among eleven players are most of either half of the pool.
#[test]
fn large_parties_are_no_obstacle() {
    let pool = pool_of(&[1700, 1300, 900, 200, 1200, 100, 100, 1500, 1500, 300, 1300]);
    let wishes = Wishes {
        parties: vec![players([6, 7, 8, 11]), players([3, 4, 9, 10])],
        party_price: 0,
        spread: false,
        anchor: false,
        ..Wishes::default()
    };
    for split in solve(&pool, &wishes, &Limits::default()).splits {
        assert_eq!(
            (split.method, split.difference),
            (SplitMethod::Exact, 0),
            "size {}",
            split.size
        );
    }
}

/// Diverse ratings and all kinds of wishes: several runs over tables of every width.
#[test]
fn the_largest_pools_are_exact_whatever_is_wished() {
    let ratings: Vec<i32> = (0..64)
        .map(|number| number * number * 7919 % 10_001)
        .collect();
    let party = |number: u64| players([5 * number + 1, 5 * number + 3, 5 * number + 4]);
    let wishes = Wishes {
        current: Some(Current {
            a: players(1..22),
            b: players(22..43),
        }),
        parties: (0..6).map(party).collect(),
        must_play: players((0..10).map(|number| 3 * number + 2)),
        waited: (1..65)
            .map(|number| (player(number), (number % 9) as u32))
            .collect(),
        ..Wishes::default()
    };
    let splits = solve(&pool_of(&ratings), &wishes, &Limits::default()).splits;
    assert!(splits.iter().map(|split| split.size).eq(2..=32));
    for split in splits {
        assert_eq!(split.method, SplitMethod::Exact, "size {}", split.size);
    }
}

/// Ratings up to 10,000 and waits of many lengths, which require the widest tables.
#[test]
fn the_largest_pools_are_exact_and_have_alternatives() {
    let ratings: Vec<i32> = (0..64).map(|number| 100 + number * 7919 % 9901).collect();
    let waited = (0..64).map(|number| (player(u64::from(number) + 1), number % 6));
    let wishes = Wishes {
        waited: waited.collect(),
        sizes: Some(vec![21]),
        alternatives: Some(Alternatives {
            size: 21,
            count: 20,
        }),
        ..Wishes::default()
    };
    let table = solve(&pool_of(&ratings), &wishes, &Limits::default());
    assert!(table.splits[0].optimal && table.splits[0].method == SplitMethod::Exact);
    let different: BTreeSet<_> = table.alternatives.iter().map(teams).collect();
    assert_eq!(different.len(), 20);
    assert!(
        table
            .alternatives
            .is_sorted_by_key(|split| split.difference)
    );
}

proptest! {
    #![proptest_config(super::some_cases())]

    #[test]
    fn every_answer_is_two_teams_and_who_waits((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        prop_assert!(splits.iter().map(|split| split.size).eq(expected_sizes(&pool, &wishes)));
        let case = Case::new(&pool, &wishes);
        for split in splits {
            let everybody = [&split.a[..], &split.b, &split.waiting].concat();
            let seated = Pool::new(everybody);
            prop_assert_eq!(seated.as_ref(), Ok(&pool));
            let sizes = (split.a.len().min(split.b.len()), split.a.len().max(split.b.len()));
            prop_assert_eq!(sizes, case.team_sizes(split.size));
            prop_assert_eq!(split.method, SplitMethod::Exact);
            let playing = || split.a.iter().chain(&split.b);
            let best = pool.players().iter().find(|one| playing().any(|other| other == *one));
            prop_assert_eq!(split.a.first(), best, "the best who plays leads team a");
            let is_kept = |party: &Vec<PlayerId>| {
                let on = |team: &[Candidate]| party.iter().all(|id| team.iter().any(|one| one.id == *id));
                on(&split.a) || on(&split.b) || on(&split.waiting)
            };
            prop_assert!(split.outcome.kept_parties.iter().all(is_kept));
            prop_assert!(!split.outcome.split_parties.iter().any(is_kept));
            prop_assert_eq!(split.outcome.waited.len(), split.waiting.len());
        }
    }

    #[test]
    fn the_order_of_the_players_changes_nothing(
        (given, shuffled, wishes) in case().prop_flat_map(|(ratings, wishes)| {
            let players = candidates(&ratings);
            (Just(players.clone()), Just(players).prop_shuffle(), Just(wishes))
        })
    ) {
        let solved = |players: Vec<Candidate>| {
            solve(&Pool::new(players).unwrap(), &wishes, &Limits::default())
        };
        prop_assert_eq!(solved(given), solved(shuffled));
    }

    #[test]
    fn the_order_of_the_parties_changes_nothing(
        (ratings, wishes, parties) in case().prop_flat_map(|(ratings, wishes)| {
            let parties = Just(parties_of_two(ratings.len())).prop_shuffle();
            (Just(ratings), Just(wishes), parties)
        }),
    ) {
        let pool = pool_of(&ratings);
        let solved = |parties: Vec<Vec<PlayerId>>| {
            solve(&pool, &Wishes { parties, apart: Vec::new(), ..wishes.clone() }, &Limits::default())
        };
        prop_assert_eq!(solved(parties), solved(parties_of_two(ratings.len())));
    }

    #[test]
    fn the_order_of_the_wishes_decides_nothing((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let reversed = |ids: &[PlayerId]| -> Vec<PlayerId> { ids.iter().rev().copied().collect() };
        let role = |role: &Role| Role { players: reversed(&role.players), ..role.clone() };
        let other = Wishes {
            parties: wishes.parties.iter().rev().map(|party| reversed(party)).collect(),
            apart: wishes.apart.iter().rev().map(|[one, other]| [*other, *one]).collect(),
            must_play: reversed(&wishes.must_play),
            must_wait: reversed(&wishes.must_wait),
            recent: wishes.recent.iter().rev().cloned().collect(),
            roles: wishes.roles.iter().rev().map(role).collect(),
            ..wishes.clone()
        };
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let others = solve(&pool, &other, &Limits::default()).splits;
        for (split, other) in splits.iter().zip(&others) {
            // If pairs and roles link too many players, only the first of them count.
            prop_assert!(split.optimal == other.optimal || !wishes.roles.is_empty());
            if split.optimal && other.optimal {
                prop_assert_eq!(teams(split), teams(other));
                prop_assert_eq!(figures(split), figures(other));
            }
        }
        prop_assert_eq!(splits.len(), others.len());
    }

    #[test]
    fn other_names_change_no_figure(
        // The ids decide which of two equal players is the anchor, and who the two best are.
        (ratings, wishes, names) in prop::collection::btree_set(700..=1300, 4..=16)
            .prop_flat_map(|ratings| {
                let names: Vec<u64> = (1..=ratings.len() as u64).collect();
                let wishes = wishes(ratings.len());
                let ratings: Vec<i32> = ratings.into_iter().collect();
                (Just(ratings).prop_shuffle(), wishes, Just(names).prop_shuffle())
            })
    ) {
        let name = |id: &PlayerId| {
            let number = id.steam_id64() + 1 - player(1).steam_id64();
            player(names[usize::try_from(number).unwrap() - 1])
        };
        let all = |ids: &[PlayerId]| ids.iter().map(name).collect::<Vec<PlayerId>>();
        let both = |teams: &Current| Current { a: all(&teams.a), b: all(&teams.b) };
        let role = |role: &Role| Role { players: all(&role.players), ..role.clone() };
        let renamed = Wishes {
            current: wishes.current.as_ref().map(both),
            parties: wishes.parties.iter().map(|party| all(party)).collect(),
            apart: wishes.apart.iter().map(|[one, other]| [name(one), name(other)]).collect(),
            newcomers: all(&wishes.newcomers),
            must_play: all(&wishes.must_play),
            must_wait: all(&wishes.must_wait),
            waited: wishes.waited.iter().map(|(id, rounds)| (name(id), *rounds)).collect(),
            recent: wishes.recent.iter().map(both).collect(),
            roles: wishes.roles.iter().map(role).collect(),
            ..wishes.clone()
        };
        let other = candidates(&ratings).into_iter().map(|one| Candidate { id: name(&one.id), ..one });
        let splits = solve(&pool_of(&ratings), &wishes, &Limits::default()).splits;
        let others = solve(&Pool::new(other).unwrap(), &renamed, &Limits::default()).splits;
        prop_assert!(splits.iter().map(figures).eq(others.iter().map(figures)));
    }

    #[test]
    fn which_of_equals_comes_first_changes_no_figure((ratings, wishes) in case(), seed: u64) {
        // That order decides who the two best players are, but not who the anchor is.
        let wishes = Wishes { spread: false, ..wishes };
        let tie = |id: PlayerId| id.steam_id64().wrapping_mul(seed | 1);
        let (pool, mixed) = (pool_of(&ratings), Pool::with_ties(candidates(&ratings), tie).unwrap());
        prop_assert_eq!(pool.players()[0], mixed.players()[0]);
        let key = |one: &Candidate| (Reverse(one.rating), tie(one.id));
        prop_assert!(mixed.players()[1..].is_sorted_by_key(key));
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let others = solve(&mixed, &wishes, &Limits::default()).splits;
        for (split, other) in splits.iter().zip(&others) {
            if split.optimal && other.optimal {
                prop_assert_eq!(figures(split), figures(other));
            }
        }
        prop_assert_eq!(splits.len(), others.len());
    }

    #[test]
    fn more_points_for_everybody_change_nothing((ratings, wishes) in case(), more in 1..5000) {
        prop_assume!(wishes.bench || ratings.len() % 2 == 0, "one team has a player more");
        let raised: Vec<i32> = ratings.iter().map(|points| points + more).collect();
        let solved = |ratings: &[i32]| solve(&pool_of(ratings), &wishes, &Limits::default()).splits;
        let (splits, others) = (solved(&ratings), solved(&raised));
        prop_assert!(splits.iter().map(teams).eq(others.iter().map(teams)));
        prop_assert!(splits.iter().map(figures).eq(others.iter().map(figures)));
    }

    #[test]
    fn a_wish_never_makes_the_difference_smaller((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let none = Wishes { anchor: wishes.anchor, bench: wishes.bench, ..Wishes::default() };
        let case = Case::new(&pool, &wishes);
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let without = solve(&pool, &none, &Limits::default()).splits;
        for (split, without) in splits.iter().zip(&without) {
            // If the best player has to wait, the other teams may be closer.
            let is_comparable = !wishes.anchor || case.is_anchored(split.size);
            prop_assert!(!is_comparable || split.difference >= without.difference);
            prop_assert_eq!(split.outcome.best_difference, Some(without.difference));
            let is_soft = wishes.must_play.is_empty() && wishes.must_wait.is_empty();
            let price = u64::from(wishes.party_price) + u64::from(tolerance(&wishes));
            prop_assert!(!is_soft || split.difference <= without.difference + price);
        }
    }

    #[test]
    fn exact_is_never_worse_than_greedy((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let wishes = Wishes { party_price: 0, tolerance: 0, newcomers_price: 0, ..wishes };
        for split in solve(&pool, &wishes, &Limits::default()).splits {
            let swaps = greedy(&pool, split.size, &wishes).unwrap();
            prop_assert!(split.difference <= swaps.difference);
            let relaxed = |split: &Split| split.outcome.benched.len() + split.outcome.drafted.len();
            prop_assert_eq!(relaxed(&split), relaxed(&swaps));
        }
    }

    #[test]
    fn mirrored_current_teams_change_nothing((ratings, wishes) in case()) {
        let pool = pool_of(&ratings);
        let mirrored = Wishes {
            current: wishes.current.clone().map(|teams| Current { a: teams.b, b: teams.a }),
            ..wishes.clone()
        };
        let splits = solve(&pool, &wishes, &Limits::default()).splits;
        let others = solve(&pool, &mirrored, &Limits::default()).splits;
        prop_assert_eq!(splits, others, "the best player's team is a, whichever was sent as a");
    }

    #[test]
    fn the_enumeration_finds_nothing_closer(ratings in prop::collection::vec(100..=4000, 4..=20)) {
        let pool = pool_of(&ratings);
        for split in solve(&pool, &Wishes::default(), &Limits::default()).splits {
            let enumeration = enumerate(&pool, split.size, 50_000);
            let found = enumeration.best.unwrap().difference;
            prop_assert!(split.difference <= found);
            prop_assert!(!enumeration.complete || split.difference == found);
        }
    }

    #[test]
    fn what_is_too_much_work_is_answered_otherwise(
        (ratings, wishes) in case(),
        work in prop_oneof![0..2_000_000_u64, Just(Limits::default().work)],
        memory in prop_oneof![0..200_000_u64, Just(Limits::default().memory)],
    ) {
        let pool = pool_of(&ratings);
        let limits = Limits { work, memory };
        let some = solve(&pool, &wishes, &limits).splits;
        let all = solve(&pool, &wishes, &Limits::default()).splits;
        let hard = Wishes {
            must_play: wishes.must_play.clone(),
            must_wait: wishes.must_wait.clone(),
            anchor: wishes.anchor,
            bench: wishes.bench,
            ..Wishes::default()
        };
        let closest = solve(&pool, &hard, &Limits::default()).splits;
        prop_assert!(some.iter().map(|split| split.size).eq(expected_sizes(&pool, &wishes)));
        for (some, all) in some.iter().zip(&all) {
            match some.method {
                SplitMethod::Exact if some.optimal => {
                    let mut some = some.clone();
                    some.outcome.best_difference = all.outcome.best_difference;
                    prop_assert_eq!(figures(&some), figures(all));
                }
                SplitMethod::Exact => {
                    // The difference is bounded even if not all soft wishes are considered.
                    let links = (&wishes.parties, &wishes.apart, &wishes.roles, &wishes.newcomers);
                    prop_assert!(!(links.0.is_empty() && links.1.is_empty() && links.2.is_empty() && links.3.is_empty()));
                    let more = u64::from(tolerance(&wishes)) + u64::from(wishes.party_price);
                    let closest = closest.iter().find(|split| split.size == some.size);
                    prop_assert!(some.difference <= closest.unwrap().difference + more);
                }
                SplitMethod::Greedy => prop_assert!(!some.optimal || some.difference == 0),
            }
        }
    }
}
