use super::*;

#[test]
fn the_player_nearest_to_the_target_rating_moves() {
    // T = (4600 - 1800)/2 = 1400.
    let verdict = judged(
        "synelo",
        team(1, &[900, 1300, 1450, 950]),
        team(10, &[1000, 800]),
    );
    assert_eq!(moved(&verdict), [player(3)]);
    assert_eq!(verdict.moves[0].from, Side::A);
    assert_eq!(verdict.before.lead().points(), 2800.0);
    // Moving a rating r changes the difference by exactly 2 r.
    assert_eq!(verdict.after.lead().points(), 2800.0 - 2.0 * 1450.0);
    assert_eq!(verdict.moves[0].alone, verdict.after);
    // The next nearest are 1300, 950 and 900.
    let others: Vec<_> = verdict
        .runners_up
        .iter()
        .map(|other| other.moves[0].id)
        .collect();
    assert_eq!(others, [player(2), player(4), player(1)]);
}

/// Checks that the larger team gives its lowest-rated player if it is the weaker team. The printed rule, with the
/// target rating T = |Σ_A - Σ_B|/2 = 600, would move the player of 550.
#[test]
fn where_the_larger_team_is_the_weaker_its_worst_player_moves() {
    let verdict = judged(
        "synelo",
        team(1, &[500, 550, 400, 450]),
        team(10, &[1500, 1600]),
    );
    assert_eq!(moved(&verdict), [player(3)]);
    assert_eq!(verdict.after.lead().points(), -2000.0);
}

/// Checks that players to move are chosen together. One by one, the target rating T = 2000 would take the player of
/// 2000 first, and the second move would leave a lead of 800.
#[test]
fn several_moves_are_chosen_together() {
    let ratings = [2000, 1100, 900, 1600, 400];
    let verdict = judged("synelo", team(1, &ratings), team(10, &[2000]));
    // Σ = 6000 v 2000: two moves worth 2000 together even it out exactly.
    assert_eq!(verdict.after.lead(), Power::ZERO);
    let mut ids = moved(&verdict);
    ids.sort_unstable();
    assert!(
        ids == [player(2), player(3)] || ids == [player(4), player(5)],
        "{ids:?}"
    );
    assert_eq!(verdict.after.size_difference(), 0);
}

#[test]
fn sizes_that_differ_by_one_are_left_alone() {
    let verdict = judged("synelo", team(1, &[3000, 3000]), team(10, &[100]));
    assert!(verdict.reasons.is_empty() && verdict.moves.is_empty());
}

#[test]
fn the_odd_player_goes_where_the_sums_end_closer() {
    let policy = built_in("synelo");
    // Every player with a positive rating joins the team that is behind.
    for (a, b, expected) in [
        ([1500, 1200], [1300, 1000], Side::B),
        ([1300, 1000], [1500, 1200], Side::A),
    ] {
        let even = state(team(1, &a), team(10, &b));
        let placement = place(&even, &[rated(20, 500)], &policy, THETA).unwrap();
        assert_eq!(placement.placed[0].team, expected);
    }
    // With sizes of three to two, no player is odd, so the smaller team gets the player.
    let uneven = state(team(1, &[1000, 1000, 1000]), team(10, &[3000, 3000]));
    let placement = place(&uneven, &[rated(20, 1000)], &policy, THETA).unwrap();
    assert_eq!(placement.placed[0].team, Side::B);
    assert_eq!(placement.runners_up[0].team_a, [player(20)]);
}
