//! Many pairs apart, connected with each other and with parties.

use rbs::partition::{Limits, Wishes, solve};

use super::super::dice::Dice;
use super::super::pools::{player, players, pool_of};
use super::assert_best;

#[test]
fn a_party_and_five_pairs_among_eight_are_kept_as_well_as_can_be() {
    let pool = pool_of(&[1029, 980, 9972, 1096, 1003, 904, 971, 957]);
    let pairs = [[6, 3], [6, 5], [1, 6], [8, 7], [2, 8]];
    let wishes = Wishes {
        parties: vec![players([8, 4, 6])],
        apart: pairs.map(|pair| pair.map(player)).to_vec(),
        tolerance: 100,
        ..Wishes::default()
    };
    let splits = assert_best(&pool, &wishes);
    let together = splits.iter().map(|split| split.outcome.together.len());
    assert_eq!(together.collect::<Vec<_>>()[1..], [0, 1], "3 v 3, 4 v 4");
}

#[test]
fn one_player_may_be_apart_from_everybody() {
    let all: Vec<i32> = (0..12).map(|number| 1000 + number * 37 % 101).collect();
    for among in 8..=12 {
        let ratings = all[..among].to_vec();
        let pool = pool_of(&ratings);
        for hub in [1, 3] {
            let others = (1..=among as u64).filter(|number| *number != hub);
            let wishes = Wishes {
                apart: others.map(|other| [player(hub), player(other)]).collect(),
                tolerance: 50,
                ..Wishes::default()
            };
            assert_best(&pool, &wishes);
        }
    }
}

#[test]
fn pairs_may_form_a_chain_through_two_parties() {
    let pool = pool_of(&[1043, 972, 1108, 1001, 955, 1020, 890, 1077, 998, 934]);
    let wishes = Wishes {
        parties: vec![players([1, 4, 7]), players([2, 9])],
        apart: (3..8)
            .map(|number| [player(number), player(number + 1)])
            .collect(),
        tolerance: 20,
        ..Wishes::default()
    };
    assert_best(&pool, &wishes);
}

#[test]
fn twelve_random_pairs_among_twenty_four_are_proven() {
    for seed in 0..10 {
        let mut dice = Dice::new(seed);
        let ratings: Vec<i32> = (0..24).map(|_| dice.between(700, 1300)).collect();
        let pairs = (0..12).map(|_| {
            let pair = dice.shuffled(24);
            [player(pair[0]), player(pair[1])]
        });
        let wishes = Wishes {
            apart: pairs.collect(),
            ..Wishes::default()
        };
        for split in solve(&pool_of(&ratings), &wishes, &Limits::default()).splits {
            let context = format!("seed {seed}, size {}", split.size);
            assert!(split.optimal, "{context}");
            assert_eq!(
                Some(split.difference),
                split.outcome.best_difference,
                "{context}"
            );
        }
    }
}
