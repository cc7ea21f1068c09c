use super::*;

/// Checks an example match from the document of the game Sector's Edge. Its party of weights 7, 6 and 5.5 weighs 18.5 x
/// 1.2 = 22.2 points, but the document prints 22.5.
#[test]
fn the_normal_game_ends_with_29_to_29_but_for_the_documents_slip() {
    let policy = built_in("sectors-edge-weights");
    let everybody = [
        7.0, 6.0, 5.5, 5.5, 5.0, 5.0, 5.0, 5.0, 3.0, 2.0, 2.0, 1.5, 0.5, 0.5, 0.5,
    ];
    let empty = Match::default();
    let placement = place(&empty, &weighed(1, 3, &everybody), &policy, THETA).unwrap();
    let mut sums = [
        placement.after.a.power.points(),
        placement.after.b.power.points(),
    ];
    sums.sort_by(f64::total_cmp);
    assert_eq!(sums, [28.7, 29.0]);
    let friends: Vec<Side> = placement.placed[..3]
        .iter()
        .map(|placed| placed.team)
        .collect();
    assert!(friends.iter().all(|team| *team == friends[0]));
}

#[test]
fn the_latecomer_of_the_normal_game_joins_team_a() {
    // The teams as the document lists them.
    let a = weighed(1, 3, &[7.0, 6.0, 5.5, 3.0, 2.0, 0.5, 0.5, 0.5]);
    let b = weighed(20, 0, &[5.5, 5.0, 5.0, 5.0, 5.0, 2.0, 1.5]);
    let policy = built_in("sectors-edge-weights");
    let teams = state(a, b);
    let verdict = balance(&teams, &policy, THETA).unwrap();
    assert!(verdict.reasons.is_empty());
    assert_eq!(verdict.before.a.power.points(), 28.7);
    assert_eq!(verdict.before.b.power.points(), 29.0);
    let placement = place(&teams, &weighed(40, 0, &[1.0]), &policy, THETA).unwrap();
    assert_eq!(placement.placed[0].team, Side::A);
}

/// Checks that a joining player goes to the smaller of two teams of equal weight. The document of the game Sector's
/// Edge puts the player on the larger team.
#[test]
fn where_the_sums_are_even_the_latecomer_joins_the_smaller_team() {
    let a = weighed(1, 0, &[15.0, 5.0, 5.0, 2.0, 0.5, 0.5, 0.5, 0.5]);
    let b = weighed(20, 0, &[10.5, 5.0, 5.0, 5.0, 2.0, 1.0, 0.5]);
    let policy = built_in("sectors-edge-weights");
    let placement = place(&state(a, b), &weighed(40, 0, &[1.0]), &policy, THETA).unwrap();
    assert_eq!(placement.before.a.power.points(), 29.0);
    assert_eq!(placement.before.lead(), Power::ZERO);
    assert_eq!(placement.placed[0].team, Side::B);
}

#[test]
fn many_light_players_move_where_the_heavy_one_is_too_much() {
    let a = [&[100.0][..], &[1.0; 13]].concat();
    let verdict = judged(
        "sectors-edge-weights",
        weighed(1, 0, &a),
        weighed(40, 0, &[20.0; 4]),
    );
    assert_eq!((verdict.moves.len(), verdict.optimal), (8, true));
    assert_eq!(verdict.after.a.power.points(), 105.0);
    assert_eq!(verdict.after.b.power.points(), 88.0);
    assert!(verdict.moves.iter().all(|one| one.id != player(1)));
}

#[test]
fn the_superteam_of_three_stands_against_twelve() {
    let policy = built_in("sectors-edge-weights");
    let everybody = [
        11.0, 11.0, 10.0, 5.0, 5.0, 5.0, 3.0, 3.0, 3.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0,
    ];
    let placement = place(
        &Match::default(),
        &weighed(1, 3, &everybody),
        &policy,
        THETA,
    )
    .unwrap();
    let friends = placement.placed[0].team;
    let of = |side: Side| *placement.after.team(side);
    assert_eq!((of(friends).size, of(friends).power.points()), (3, 38.4));
    assert_eq!(
        (of(friends.other()).size, of(friends.other()).power.points()),
        (12, 32.0)
    );
    let (super_team, others) = everybody.split_at(3);
    let teams = state(weighed(1, 3, super_team), weighed(10, 0, others));
    let latecomer = weighed(40, 0, &[2.0]);
    let placement = place(&teams, &latecomer, &policy, THETA).unwrap();
    assert_eq!(placement.placed[0].team, Side::B);
    // 38.4 exceeds 32 by exactly a fifth, which the limit allows.
    let verdict = balance(&teams, &policy, THETA).unwrap();
    assert!(verdict.reasons.is_empty(), "{:?}", verdict.reasons);
}

#[test]
fn who_brings_the_weights_closest_moves_unless_in_a_party() {
    let a = weighed(1, 2, &[10.0, 10.0, 8.0, 6.0, 1.0]);
    let b = weighed(10, 0, &[9.0, 9.0]);
    // (20 x 1.15 + 15) - 18 = 20. A friend of 11.5 would fit better than the player of 8, but parties stay.
    let verdict = judged("sectors-edge-weights", a, b);
    assert_eq!(moved(&verdict), [player(3)]);
    assert_eq!(verdict.after.lead().points(), 4.0);
}
