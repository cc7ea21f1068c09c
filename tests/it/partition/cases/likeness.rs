use rbs::partition::{Current, Wishes};

use super::super::pools::{players, pool_of, teams};
use super::split;

#[test]
fn of_two_equally_close_splits_the_one_with_more_alike_teams_is_answered() {
    let pool = pool_of(&[844, 1134, 849, 1082, 870, 811, 1010, 1182]);
    let wishes = Wishes {
        sizes: Some(vec![3]),
        ..Wishes::default()
    };
    let split = split(&pool, &wishes);
    let outcome = &split.outcome;
    assert_eq!(split.difference, 2);
    assert!((outcome.deviation_a - outcome.deviation_b).abs() < 1.35);
    assert_eq!(
        teams(&split),
        (players([8, 7, 5]), players([2, 4, 1])),
        "the other one has deviations that are 37.7 apart"
    );
}

#[test]
fn wishes_come_before_alike_teams() {
    let pool = pool_of(&[844, 1134, 849, 1082, 870, 811, 1010, 1182]);
    let wishes = Wishes {
        current: Some(Current {
            a: players([8, 3, 5]),
            b: players([4, 6, 7]),
        }),
        sizes: Some(vec![3]),
        ..Wishes::default()
    };
    let split = split(&pool, &wishes);
    assert_eq!((split.difference, split.outcome.moves), (2, Some(0)));
}
