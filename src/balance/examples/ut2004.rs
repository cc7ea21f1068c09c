use super::*;

const EXAMPLE: [f64; 17] = [
    5.0, 3.0, 2.0, 7.0, 23.0, 92.0, 93.0, 95.0, 27.0, 56.0, 28.0, 99.0, 1.0, 23.0, 83.0, 41.0, 49.0,
];

fn map(least: usize, most: usize) -> Bots {
    Bots {
        map_players: Some((least, most)),
        ..Bots::default()
    }
}

#[test]
fn the_seventeen_players_of_the_example_stand_nine_to_eight_and_a_bot() {
    let empty = Match {
        bots: map(6, 12),
        ..Match::default()
    };
    let policy = built_in("ut2004");
    let placement = place(&empty, &weighed(1, 0, &EXAMPLE), &policy, THETA).unwrap();
    let after = placement.after;
    // The players weigh 727 and the only bot 20, so 373 to 374 is the closest split.
    assert_eq!(after.a.size + after.a.bots, 9);
    assert_eq!(after.b.size + after.b.bots, 9);
    assert_eq!(after.a.bots + after.b.bots, 1);
    assert_eq!(after.total().points(), 747.0);
    assert_eq!(after.lead().abs().points(), 1.0);
    let advantage = placement.fill.unwrap().advantage.unwrap();
    assert_eq!(advantage.factor, 374.0 / 373.0);
    assert_eq!(advantage.team, after.stronger().other());
    assert!(placement.optimal);
}

#[test]
fn bots_fill_up_and_nobody_moves() {
    let state = Match {
        bots: Bots { b: 2, ..map(6, 12) },
        ..state(weighed(1, 0, &[60.0, 40.0, 30.0]), weighed(10, 0, &[50.0]))
    };
    let verdict = balance(&state, &built_in("ut2004"), THETA).unwrap();
    assert_eq!(verdict.reasons, [Reason::Bots]);
    let fill = verdict.fill.unwrap();
    assert_eq!((fill.bots_a, fill.bots_b), (1, 3));
    // 130 + 20 against 50 + 60.
    assert_eq!(verdict.after.a.power.points(), 150.0);
    let advantage = fill.advantage.unwrap();
    assert_eq!((advantage.team, advantage.factor), (Side::B, 150.0 / 110.0));
    assert!(verdict.moves.is_empty() && verdict.balanced_after);
}

#[test]
fn somebody_without_a_weight_counts_the_default() {
    let verdict = judged("ut2004", team(1, &[1000]), team(10, &[2000]));
    assert_eq!(verdict.before.a.power.points(), 50.0);
    assert_eq!(verdict.before.lead(), Power::ZERO);
}

#[test]
fn no_team_gets_more_than_eighteen_players_of_thirty_two() {
    let bots = Bots {
        weight: Some(Power::ZERO),
        ..map(6, 12)
    };
    let empty = Match {
        bots,
        ..Match::default()
    };
    let mut weights = [1.0; 16];
    weights[0] = 100.0;
    let placement = place(&empty, &weighed(1, 0, &weights), &built_in("ut2004"), THETA).unwrap();
    // The heaviest player alone against all others would be closest.
    let sizes = [placement.after.a.size, placement.after.b.size];
    let stronger = placement.after.stronger();
    assert_eq!(placement.after.team(stronger).size, 7, "{sizes:?}");
    assert_eq!(placement.after.team(stronger.other()).size, 9, "{sizes:?}");
}
