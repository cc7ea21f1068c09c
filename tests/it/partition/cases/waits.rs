use rbs::partition::{Limits, Wishes, solve};

use super::super::pools::{player, pool_of};
use super::waiting;

#[test]
fn where_waits_are_too_many_the_longest_still_play_first() {
    let pool = pool_of(&[1000; 40]);
    let wishes = Wishes {
        waited: (1..=40_u32)
            .map(|number| (player(u64::from(number)), number))
            .collect(),
        sizes: Some(vec![10]),
        anchor: false,
        ..Wishes::default()
    };
    let splits = solve(&pool, &wishes, &Limits::default()).splits;
    assert_eq!(waiting(&splits[0]), (1..=20).collect::<Vec<u64>>());
    assert!(
        !splits[0].optimal,
        "the shortest waits count alike, so it is not proven"
    );
}
