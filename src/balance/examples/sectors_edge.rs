use super::*;

#[test]
fn two_to_none_three_to_one_and_four_to_two_end_even() {
    for (larger, smaller) in [(2, 0), (3, 1), (4, 2)] {
        let ratings: Vec<i32> = (0..larger).map(|n| 1000 + 10 * n).collect();
        let verdict = judged(
            "sectors-edge",
            team(1, &ratings),
            team(10, &vec![900; smaller]),
        );
        assert_eq!(verdict.moves.len(), 1, "{larger} v {smaller}");
        assert_eq!(verdict.after.size_difference(), 0);
        assert!(matches!(verdict.reasons[0], Reason::SizePair { .. }));
    }
}

#[test]
fn players_move_until_the_powers_differ_by_less_than_ten() {
    // The players have places 5 to 14. The six best weigh 69, the four worst 26.
    let a: Vec<i32> = (0..6).map(|n| 1500 + n).collect();
    let verdict = judged(
        "sectors-edge",
        team(1, &a),
        team(10, &[1000, 1001, 1002, 1003]),
    );
    assert_eq!(verdict.before.lead().points(), 69.0 - 26.0);
    assert!(matches!(
        verdict.reasons[..],
        [Reason::PowerDifference { .. }]
    ));
    // One move makes the sizes even, which suffices. The best move leaves a lead of 43 - 2 x 14.
    assert_eq!(moved(&verdict), [player(6)]);
    assert_eq!(verdict.after.lead().points(), 15.0);
    // With points given, the two players with the most points stay.
    let a = a.iter().zip(1..).map(|(rating, number)| Player {
        points: Some(i32::try_from(number).unwrap()),
        ..rated(number, *rating)
    });
    let verdict = judged(
        "sectors-edge",
        a.collect(),
        team(10, &[1000, 1001, 1002, 1003]),
    );
    assert_eq!(moved(&verdict), [player(4)]);
    assert_eq!(
        verdict.ineligible,
        [(player(5), Ineligible::Best), (player(6), Ineligible::Best)]
    );
}

#[test]
fn sizes_that_differ_by_three_are_balanced_where_powers_are() {
    let verdict = judged(
        "sectors-edge",
        team(1, &[1900, 1901, 1902]),
        team(10, &[1000, 1001, 1002, 1003, 1004, 1005]),
    );
    // 36 v 45.
    assert!(verdict.reasons.is_empty(), "{verdict:?}");
}

#[test]
fn nobody_moves_where_that_would_flip_the_favourite() {
    // 68 v 58. Only the player with place 16 may move, and 52 v 74 would be just as unbalanced.
    let numbered = |first, places: &[i32]| -> Vec<Player> {
        let ratings: Vec<i32> = places.iter().map(|place| 1000 + place).collect();
        team(first, &ratings)
    };
    let friends = |mut players: Vec<Player>, free: usize| -> Vec<Player> {
        for (place, player) in players.iter_mut().enumerate() {
            player.party = (place != free).then(|| "friends".parse().unwrap());
        }
        players
    };
    let a = [5, 6, 8, 9, 11, 13, 16];
    let b = numbered(10, &[7, 10, 12, 14, 15]);
    let verdict = judged("sectors-edge", friends(numbered(1, &a), 6), b.clone());
    assert_eq!(verdict.before.lead().points(), 10.0);
    assert!(
        !verdict.reasons.is_empty() && verdict.optimal,
        "{verdict:?}"
    );
    assert_eq!(
        (&verdict.moves[..], verdict.after),
        (&[][..], verdict.before)
    );
    assert!(verdict.runners_up.is_empty() && !verdict.balanced_after);
    // If the player with place 9 may move, 59 v 67 is balanced.
    let verdict = judged("sectors-edge", friends(numbered(1, &a), 3), b);
    assert_eq!(moved(&verdict), [player(4)]);
    assert_eq!(verdict.after.lead().points(), -8.0);
}

/// Checks that a match of three players against one becomes two against two if the players' points in the match are
/// known, with and without a party of two.
#[test]
fn three_to_one_ends_even_with_points_told() {
    for friends in [0, 2] {
        let three: Vec<Player> = (1..=3)
            .map(|number| Player {
                points: Some(10 * i32::try_from(number).unwrap()),
                party: (number <= friends).then(|| "friends".parse().unwrap()),
                ..rated(number, 1000)
            })
            .collect();
        let verdict = judged("sectors-edge", three, team(10, &[1000]));
        assert_eq!(verdict.after.size_difference(), 0, "{friends}: {verdict:?}");
        // 18.75 v 5.75. Moving 6.25 leaves a lead of 0.5. The only player without friends weighs 6.75 and leaves -0.5.
        let who = if friends == 0 { 2 } else { 3 };
        assert_eq!(moved(&verdict), [player(who)], "{friends}");
    }
}

#[test]
fn of_players_who_are_alike_nobody_goes_to_the_larger_team() {
    for (larger, smaller) in [(7, 5), (8, 6), (14, 12), (20, 10), (3, 1)] {
        for larger_ids_are_high in [false, true] {
            let first = if larger_ids_are_high {
                (200, 1)
            } else {
                (1, 200)
            };
            let verdict = judged(
                "sectors-edge",
                team(first.0, &vec![1000; larger]),
                team(first.1, &vec![1000; smaller]),
            );
            assert!(verdict.before.lead() > Power::ZERO);
            assert!(
                verdict.moves.iter().all(|one| one.from == Side::A),
                "{larger} v {smaller}: {:?}",
                verdict.moves
            );
        }
    }
}

#[test]
fn two_to_none_ends_even_where_the_one_with_fewer_points_is_immune() {
    let carrier = Player {
        points: Some(0),
        immune: true,
        ..rated(1, 1000)
    };
    let other = Player {
        points: Some(32),
        ..rated(2, 1000)
    };
    let verdict = judged("sectors-edge", vec![carrier, other], Vec::new());
    assert_eq!(moved(&verdict), [player(2)]);
    assert_eq!(verdict.after.size_difference(), 0);
    assert_eq!(verdict.ineligible, [(player(1), Ineligible::Immune)]);
}
