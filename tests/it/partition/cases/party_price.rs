//! Maximum increase of the difference to keep parties together.

use rbs::partition::{Limits, Wishes, solve};

use super::super::pools::{player, players, pool_of};
use super::{split, waiting};

#[test]
fn the_price_of_a_party_is_added_to_the_tolerance() {
    let pool = pool_of(&[1081, 1044, 983, 993, 6489]);
    let wishes = Wishes {
        parties: vec![players([4, 1]), players([3, 2, 5])],
        must_wait: players([3]),
        tolerance: 5,
        anchor: false,
        ..Wishes::default()
    };
    // The minimum is 5357; keeping the first party costs 102.
    let kept = split(&pool, &wishes);
    assert_eq!(
        (kept.difference, kept.outcome.kept_parties.len()),
        (5459, 1)
    );

    for (tolerance, party_price) in [(1, 100), (5, 96), (0, 101)] {
        let wishes = Wishes {
            tolerance,
            party_price,
            ..wishes.clone()
        };
        assert_eq!(split(&pool, &wishes).difference, 5357);
    }
}

#[test]
fn tolerance_and_price_together_are_never_exceeded() {
    let pool = pool_of(&[5408, 1013, 1070, 910, 1024, 1007, 945, 965, 914]);
    let wishes = Wishes {
        parties: vec![players([1, 5])],
        tolerance: 50,
        party_price: 100,
        sizes: Some(vec![2]),
        ..Wishes::default()
    };
    // The minimum is 4224, and 4349 with the party kept together.
    assert_eq!(split(&pool, &wishes).difference, 4224 + 125);
    let wishes = Wishes {
        waited: [(player(6), 1), (player(8), 2)].into(),
        ..wishes
    };
    let bounded = split(&pool, &wishes);
    assert_eq!(bounded.difference, 4224 + 131);
    assert_eq!(bounded.outcome.kept_parties.len(), 1);
    assert!(!waiting(&bounded).contains(&6));
    let wishes = Wishes {
        party_price: 123,
        ..wishes
    };
    let longest = split(&pool, &wishes);
    assert_eq!(longest.difference, 4224 + 173);
    assert!(!waiting(&longest).contains(&8));
}

#[test]
fn tolerance_and_price_count_together_where_ratings_come_in_steps() {
    // All differences are multiples of 50, and neither 30 nor 20 alone is one.
    let pool = pool_of(&[1050, 1025, 1025, 1000]);
    let wishes = Wishes {
        parties: vec![players([1, 2])],
        tolerance: 30,
        party_price: 20,
        ..Wishes::default()
    };
    let kept = split(&pool, &wishes);
    assert_eq!((kept.difference, kept.outcome.kept_parties.len()), (50, 1));
}

#[test]
fn the_order_of_equal_parties_decides_nothing() {
    let pool = pool_of(&[1000; 9]);
    let parties = [[1, 2, 3], [4, 5, 6], [7, 8, 9]].map(players);
    let answer = |order: [usize; 3]| {
        let wishes = Wishes {
            parties: order.map(|party| parties[party].clone()).to_vec(),
            ..Wishes::default()
        };
        solve(&pool, &wishes, &Limits::default())
    };
    let table = answer([0, 1, 2]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(answer(order), table);
    }
}
