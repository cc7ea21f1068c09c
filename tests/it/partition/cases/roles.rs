use rbs::partition::{Current, Role, Wishes};

use super::super::pools::{player, players, pool_of};
use super::split;

fn healers(numbers: impl IntoIterator<Item = u64>, each: usize) -> Role {
    Role {
        name: "healer".to_owned(),
        players: players(numbers),
        each,
    }
}

#[test]
fn each_team_gets_a_healer_where_the_tolerance_allows_it() {
    let pool = pool_of(&[1200, 1100, 1100, 1000]);
    // The closest teams have both healers on one team.
    let wishes = Wishes {
        roles: vec![healers([1, 4], 1)],
        ..Wishes::default()
    };
    let closest = split(&pool, &wishes);
    assert_eq!(closest.difference, 0);
    let missing = &closest.outcome.missing_roles;
    assert_eq!(missing.len(), 1);
    assert_eq!(
        (missing[0].name.as_str(), missing[0].missing),
        ("healer", 1)
    );

    let wishes = Wishes {
        tolerance: 200,
        ..wishes
    };
    let tolerated = split(&pool, &wishes);
    assert_eq!(tolerated.difference, 200);
    assert!(tolerated.outcome.missing_roles.is_empty());
}

#[test]
fn more_than_there_are_is_missing_on_both_teams() {
    let pool = pool_of(&[1000; 4]);
    let wishes = Wishes {
        roles: vec![healers([1], 2), healers([9], 1)],
        ..Wishes::default()
    };
    let missing: Vec<usize> = split(&pool, &wishes)
        .outcome
        .missing_roles
        .iter()
        .map(|role| role.missing)
        .collect();
    assert_eq!(missing, [3, 2]);
}

#[test]
fn pairs_apart_come_before_roles_and_roles_before_moves() {
    let pool = pool_of(&[1000; 4]);
    let wishes = Wishes {
        current: Some(Current {
            a: players([1, 2]),
            b: players([3, 4]),
        }),
        roles: vec![healers([1, 2], 1)],
        ..Wishes::default()
    };
    let moved = split(&pool, &wishes);
    assert_eq!(moved.outcome.moves, Some(2));
    assert!(moved.outcome.missing_roles.is_empty());

    let wishes = Wishes {
        apart: vec![[player(1), player(3)], [player(1), player(4)]],
        ..wishes
    };
    let apart = split(&pool, &wishes);
    assert_eq!(apart.outcome.moves, Some(0));
    assert_eq!(apart.outcome.missing_roles.len(), 1);
}
